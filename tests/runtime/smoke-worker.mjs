// SPDX-License-Identifier: MIT
// The smoke set as a Worker, without nodejs_compat: GET /memory runs it in the Worker, GET /object in a Durable Object
// over its SQLite.
import { DurableObject } from "cloudflare:workers";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { runSmoke } from "./smoke-entry.mjs";

export class Smoke extends DurableObject {
  async run() {
    return runSmoke({ als: false, saver: new DurableObjectSaver({ storage: this.ctx.storage }) });
  }
}

export default {
  async fetch(request, env) {
    const inObject = new URL(request.url).pathname === "/object";
    const results = inObject ? await env.SMOKE.get(env.SMOKE.idFromName("smoke")).run() : await runSmoke({ als: false });
    return Response.json(results);
  },
};
