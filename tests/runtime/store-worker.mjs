// SPDX-License-Identifier: MIT
// A Worker whose Durable Objects run the store contract over their own SQLite: /names lists the tests, /run?test=name runs
// one in an object of its own, /keep appends a commit to a kept thread and answers what was there before.
import { DurableObject } from "cloudflare:workers";
import { storeContract } from "../../js/savers/contract.js";
import { DurableObjectSaver } from "../../js/savers/durable-object.js";
import { DurableObjectStore } from "../../js/savers/durable-object-store.js";

function collectTests(makeStore) {
  const tests = new Map();
  storeContract({
    test: (name, run) => tests.set(name, run),
    assert: (condition, message) => {
      if (!condition) throw new Error(message);
    },
    makeStore,
    reopen: makeStore,
    features: { witness: true },
  });
  return tests;
}

export class Thread extends DurableObject {
  async run(name) {
    try {
      await collectTests(() => new DurableObjectStore({ storage: this.ctx.storage })).get(name)();
      return "ok";
    } catch (error) {
      return `${error?.stack ?? error}`;
    }
  }

  async keep() {
    const saver = new DurableObjectSaver({ storage: this.ctx.storage });
    const { store } = saver;
    const head = store.head("kept");
    const seq = (head?.seq ?? 0) + 1;
    store.append("kept", { seq, crc: seq * 5, firstSeq: seq }, new Uint8Array(2_500_000).fill(seq), head);
    store.witness("kept", { seq, crc: seq * 5 });
    const batches = store.read("kept").map((batch) => [batch.length, batch[0], batch.at(-1)]);
    return { head, batches, bytes: await saver.byteLength(), threads: await saver.listThreads() };
  }

  async refuse() {
    try {
      return `made ${new DurableObjectStore({ storage: {} })}`;
    } catch (error) {
      return error.code;
    }
  }
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const object = (name) => env.THREAD.get(env.THREAD.idFromName(name));
    if (url.pathname === "/names") return Response.json([...collectTests(() => {}).keys()]);
    if (url.pathname === "/run") return new Response(await object(`test ${url.searchParams.get("test")}`).run(url.searchParams.get("test")));
    if (url.pathname === "/keep") return Response.json(await object("kept").keep());
    return new Response(await object("refused").refuse());
  },
};
