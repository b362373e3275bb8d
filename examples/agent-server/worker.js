// SPDX-License-Identifier: MIT
// The agent in a Worker. One Durable Object has the server and its threads, since a Worker itself
// may be another one at each request. One for each user, by the name that idFromName is given, has
// each user's threads apart.
import { DurableObject } from "cloudflare:workers";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { agent } from "./graph.js";

export class Agents extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    const saver = new DurableObjectSaver({ storage: ctx.storage });
    this.server = createServer({
      graphs: { agent },
      saver,
      store: new SaverStore(saver),
      waitUntil: (promise) => ctx.waitUntil(promise),
    });
  }

  fetch(request) {
    return this.server.fetch(request);
  }
}

export default {
  fetch: (request, { AGENTS }) => AGENTS.get(AGENTS.idFromName("all")).fetch(request),
};
