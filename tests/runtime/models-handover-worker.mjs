// SPDX-License-Identifier: MIT
// One turn of the wandering threads (models-handover-turn.mjs) as a Worker: a request's query is
// the address.
import { turnOfAll } from "./models-handover-turn.mjs";

export default {
  async fetch(request) {
    await turnOfAll(decodeURIComponent(new URL(request.url).search.slice(1)));
    return new Response("done");
  },
};
