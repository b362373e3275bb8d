// SPDX-License-Identifier: MIT
// The pages in workerd: the scripts are sent, the hashes of their logs come back.
import module from "./pages.wasm";
import { playAll } from "./player.mjs";

export default {
  fetch: async (request) => Response.json(await playAll(module, await request.json())),
};
