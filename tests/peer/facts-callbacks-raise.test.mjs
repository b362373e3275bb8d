// SPDX-License-Identifier: MIT
// A callback handler that fails, and whose failures count, while its run is given up or fails.
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { mock } from "node:test";
import { same } from "./surface.mjs";

mock.method(console, "error", () => {});

function stateOf(lib) {
  return lib.Annotation.Root({ a: lib.Annotation });
}

const ENDS = {
  aborted: (controller) => controller.abort(),
  "aborted with a reason": (controller) => controller.abort(new Error("mine")),
  failed: () => {
    throw new Error("mine");
  },
};

for (const [end, act] of Object.entries(ENDS)) {
  for (const isNested of [false, true]) {
    same(
      `a handler fails when a run is ${end}, ${isNested ? "inside" : "alone"}`,
      async (lib, t) => {
        for (const method of ["invoke", "stream"]) {
          for (const told of ["handleChainError", "handleChainStart", "handleChainEnd"]) {
            const controller = new AbortController();
            const node = async () => {
              act(controller);
              await new Promise((resolve) => setTimeout(resolve, 5));
              return {};
            };
            let graph = new lib.StateGraph(stateOf(lib))
              .addNode("n", node)
              .addEdge(lib.START, "n")
              .compile();
            if (isNested)
              graph = new lib.StateGraph(stateOf(lib))
                .addNode("inner", graph)
                .addEdge(lib.START, "inner")
                .compile();
            const handler = BaseCallbackHandler.fromMethods({
              [told]: () => {
                throw new Error("handler");
              },
            });
            Object.assign(handler, { raiseError: true, awaitHandlers: true });
            const config = { signal: controller.signal, callbacks: [handler] };
            await t.try(`${method}, ${told}`, async () => {
              if (method === "invoke") return graph.invoke({}, config);
              for await (const chunk of await graph.stream({}, config)) t.note("chunk", chunk);
            });
          }
        }
      },
    );
  }
}
