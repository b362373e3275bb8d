// SPDX-License-Identifier: MIT
// Durable Objects whose stores are called from outside: POST /<name of the object>.
import { DurableObject } from "cloudflare:workers";
import { DurableObjectStore } from "../../js/savers/durable-object/store.js";
import { serveStore } from "./remote-store.mjs";

export class Thread extends DurableObject {
  async fetch(request) {
    this.store ??= new DurableObjectStore({ storage: this.ctx.storage });
    return new Response(await serveStore(this.store, await request.text()));
  }
}

export default {
  fetch: (request, env) =>
    env.THREAD.get(env.THREAD.idFromName(new URL(request.url).pathname)).fetch(request),
};
