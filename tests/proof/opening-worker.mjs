// SPDX-License-Identifier: MIT
// Measures in a Durable Object. Its clock stands still while it works, so the caller times: GET
// /write?checkpoints=n, GET /work?name=newest&times=n&ids=a,b,c.
import { DurableObject } from "cloudflare:workers";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { WORKS, writeThread } from "./opening-work.mjs";

export class Thread extends DurableObject {
  async write(checkpoints) {
    return writeThread(new DurableObjectSaver({ storage: this.ctx.storage }), checkpoints);
  }

  async work(name, times, ids) {
    for (let left = times; left > 0; left--)
      await WORKS[name](new DurableObjectSaver({ storage: this.ctx.storage }), ids);
  }
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const object = env.THREAD.get(env.THREAD.idFromName("long"));
    if (pathname === "/write")
      return Response.json(await object.write(Number(searchParams.get("checkpoints"))));
    await object.work(
      searchParams.get("name"),
      Number(searchParams.get("times")),
      searchParams.get("ids").split(","),
    );
    return new Response("done");
  },
};
