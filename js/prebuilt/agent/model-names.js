// SPDX-License-Identifier: MIT
// Makes models by name, "provider:model", through functions that the user registered. Does not
// depend on agents.
import { ERR_ARGUMENT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";

/** @type {Map<string, (model: string) => unknown>} */
const providers = new Map();

/**
 * Registers a provider: `llm: "provider:model"` becomes what `make` returns for the model's name.
 * @param {string} provider
 * @param {(model: string) => unknown} make
 */
export function registerModelProvider(provider, make) {
  if (typeof provider !== "string" || provider === "" || provider.includes(":"))
    throw makeError(ERR_ARGUMENT, ["a provider's name must be a text without a colon"]);
  if (typeof make !== "function")
    throw makeError(ERR_ARGUMENT, [
      `provider "${provider}" needs a function that makes a model of a name`,
    ]);
  providers.set(provider, make);
}

/** @param {string} name @returns {unknown} */
export function namedModel(name) {
  const [provider, ...model] = name.split(":");
  const make = providers.get(provider);
  if (make !== undefined && model.length > 0) return make(model.join(":"));
  const known = [...providers.keys()].join(", ") || "none";
  throw makeError(ERR_ARGUMENT, [
    `"${name}" names no model: call registerModelProvider(provider, (model) => …) of weftgraph/prebuilt first (registered: ${known})`,
  ]);
}
