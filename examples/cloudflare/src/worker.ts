// SPDX-License-Identifier: MIT
// A Worker that keeps each thread of an agent in a Durable Object of its own, in the object's
// SQLite. `npx wrangler types` makes the types of the platform.
import { DurableObject } from "cloudflare:workers";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { makeAgent, type Settings } from "../../agent/agent.ts";
import { AgentService, readRoute, refuse } from "../../agent/service.ts";

interface Env extends Settings {
  THREADS: DurableObjectNamespace;
}

export class AgentThread extends DurableObject<Env> {
  service: AgentService;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.service = new AgentService(
      makeAgent(env, new DurableObjectSaver({ storage: ctx.storage })),
    );
  }

  fetch(request: Request): Promise<Response> {
    return this.service.handle(request);
  }
}

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    const route = readRoute(new URL(request.url));
    if (route === undefined) return refuse(404, "NOT_FOUND", "There is no such address.");
    return env.THREADS.get(env.THREADS.idFromName(route.threadId)).fetch(request);
  },
};
