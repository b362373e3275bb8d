// SPDX-License-Identifier: MIT
// What tests/bench/object.mjs measures inside workerd: /work?kind=…&count=n does one kind of work n
// times in a Durable Object. Its clock stands still while code runs, so the time is taken outside.
import { DurableObject } from "cloudflare:workers";
import { Annotation, START, StateGraph } from "weftgraph";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";

const RECORD = new Uint8Array(1024).fill(7);
const TEXT = "x".repeat(900);

export class Bench extends DurableObject {
  #serial = 0;

  constructor(state, env) {
    super(state, env);
    this.saver = new DurableObjectSaver({ storage: state.storage });
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS raw (at INTEGER PRIMARY KEY, bytes BLOB)");
    this.graph = new StateGraph(Annotation.Root({ n: Annotation(), text: Annotation() }))
      .addNode("a", ({ n }) => ({ n: n + 1, text: `${n}${TEXT}` }))
      .addEdge(START, "a")
      .addConditionalEdges("a", ({ n }) => (n < this.steps ? "a" : "__end__"));
    this.plain = this.graph.compile();
    this.saved = this.graph.compile({ checkpointer: this.saver });
  }

  /**
   * One row of 1 KB by hand, and a step's record in the store.
   * @param {string} kind
   * @param {number} count
   */
  async work(kind, count) {
    if (kind === "raw")
      for (let i = 0; i < count; i++)
        this.ctx.storage.sql.exec("INSERT INTO raw VALUES (?, ?)", this.#serial++, RECORD);
    if (kind === "append") this.#append(count);
    if (kind === "plain" || kind === "saved") await this.#run(this[kind], count);
  }

  #append(count) {
    const { store } = this.saver;
    const id = `t${this.#serial++}`;
    let head;
    for (let seq = 1; seq <= count; seq++) {
      const next = { seq, crc: seq };
      store.append(id, { ...next, firstSeq: seq }, RECORD, head);
      head = next;
    }
  }

  async #run(app, count) {
    this.steps = count;
    await app.invoke(
      { n: 0, text: "" },
      { recursionLimit: count + 5, configurable: { thread_id: `g${this.#serial++}` } },
    );
  }
}

export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    await env.BENCH.get(env.BENCH.idFromName("one")).work(
      searchParams.get("kind"),
      Number(searchParams.get("count")),
    );
    return new Response("done");
  },
};
