// SPDX-License-Identifier: MIT
// Asks other models, in turn, when an agent's model fails. Does not depend on models.
import { checkArgument, shown } from "../../base/check-arguments.js";
import { adaptSDKModel } from "../../models/sdk-models.js";
import { createMiddleware } from "../create-middleware.js";
import { controlsRun } from "./retry.js";

/**
 * Makes a middleware that asks the next model after an error.
 * @param {readonly unknown[]} given chat models, those of the AI SDK, or names, in order
 */
export function modelFallbackMiddleware(...given) {
  const models = given.map(adaptSDKModel);
  checkArgument(models.length > 0, "modelFallbackMiddleware(...models): models must not be empty");
  for (const model of models)
    checkArgument(
      (typeof model === "string" && model !== "") || isModel(model),
      `modelFallbackMiddleware(...models): models must be chat models or their names, not ${shown(model)}`,
    );
  return createMiddleware({
    name: "modelFallbackMiddleware",
    wrapModelCall: async (request, handler) => {
      let asked = request;
      for (const model of models) {
        try {
          return await handler(asked);
        } catch (error) {
          if (controlsRun(error, request.runtime)) throw error;
          asked = { ...request, model };
        }
      }
      return handler(asked);
    },
  });
}

/** @param {unknown} model */
function isModel(model) {
  return (
    typeof (/** @type {{ invoke?: unknown } | null | undefined} */ (model)?.invoke) === "function"
  );
}
