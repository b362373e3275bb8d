// SPDX-License-Identifier: MIT
// A Worker that keeps each thread of an agent in a Durable Object of its own, in the object's SQLite.
import { DurableObject } from "cloudflare:workers";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { makeAgent } from "../../agent/agent.js";
import { AgentService, readRoute, refuse } from "../../agent/service.js";

export class AgentThread extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.service = new AgentService(makeAgent(env, new DurableObjectSaver({ storage: ctx.storage })));
  }

  /** @param {Request} request */
  fetch(request) {
    return this.service.handle(request);
  }
}

export default {
  /** @param {Request} request @param {any} env */
  fetch(request, env) {
    const route = readRoute(new URL(request.url));
    if (route === undefined) return refuse(404, "NOT_FOUND", "There is no such address.");
    return env.THREADS.get(env.THREADS.idFromName(route.threadId)).fetch(request);
  },
};
