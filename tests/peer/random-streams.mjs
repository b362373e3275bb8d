// SPDX-License-Identifier: MIT
// Random streams: any mixture of modes, with and without those of graphs inside, of nodes that
// write to the stream, ask models, put messages and use the store, and call graphs; read as chunks,
// as a list and as events.
import fc from "fast-check";
import { thread } from "./harness.mjs";
import { Play, logOf, often } from "./random-kit.mjs";

const NAMES = ["n", "B", "k"];
const MODES = ["values", "updates", "messages", "custom", "tasks", "checkpoints", "debug"];

const act = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom({ does: "write" }, { does: "get writer" }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("model"),
      how: fc.constantFrom("invoke", "stream"),
      tag: often(3, fc.constantFrom("nostream", "langsmith:nostream", "mine"), undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("push"), key: fc.constantFrom(undefined, null) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom("put", "get", "search", "delete"),
      key: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: "ask" }) },
  { weight: 1, arbitrary: fc.constant({ does: "wait" }) },
);

const leaf = fc.record({
  acts: fc.array(act, { maxLength: 3 }),
  returns: fc.constantFrom("log", "message", "same message", "command", "nothing"),
  isAsync: fc.boolean(),
});

const inside = fc.record({
  how: fc.constantFrom("node", "node", "invoke", "stream"),
  nodes: fc.array(leaf, { minLength: 1, maxLength: 2 }),
  sees: fc.boolean(),
});

const modes = fc.oneof(fc.constantFrom(...MODES), fc.subarray(MODES, { minLength: 1 }));

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  nodes: fc.array(fc.record({ leaf, inside: often(2, inside, undefined) }), {
    minLength: 1,
    maxLength: NAMES.length,
  }),
  isBranched: fc.boolean(),
  saved: often(2, fc.constant(false), true),
  keys: often(4, fc.constantFrom("log", ["log"], ["messages", "log"]), undefined),
  calls: fc.array(
    fc.record({
      how: fc.constantFrom("stream", "stream", "stream", "invoke", "events"),
      modes,
      subgraphs: fc.boolean(),
      resumes: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** LangGraph.js lets its own keys, and who listens, out of the configs of checkpoints. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "callbacks" && !key.startsWith("__pregel"))
      .map(([key, one]) => [key, bare(one)]),
  );
}

class Program extends Play {
  constructor(spec, lib, trace) {
    super(spec, lib, trace);
    this.counts = 0;
  }

  model(tags) {
    const model = new this.lib.FakeListChatModel({ responses: ["ab"] });
    return tags === undefined ? model : model.withConfig({ tags: [tags] });
  }

  async act(name, number, { does, how, tag, key }, config) {
    const { lib, trace } = this;
    const place = ["at", name];
    switch (does) {
      case "write":
        return config.writer([name, number]);
      case "get writer":
        return lib.getWriter()?.(`got ${name} ${number}`);
      case "model": {
        if (how === "invoke") return void (await this.model(tag).invoke("hi", config));
        for await (const _ of await this.model(tag).stream("hi", config));
        return undefined;
      }
      case "push":
        return void lib.pushMessage(
          new lib.AIMessage({ content: `pushed by ${name}`, id: `pushed ${name} ${number}` }),
          config,
          key === null ? { stateKey: null } : {},
        );
      case "put":
        return config.store.put(place, `k${key}`, { name, number });
      case "get":
        return void trace.note("got", (await config.store.get(place, `k${key}`))?.value);
      case "search":
        return void trace.note(
          "found",
          (await config.store.search(["at"])).map((one) => [one.namespace, one.key, one.value]),
        );
      case "delete":
        return config.store.delete(place, `k${key}`);
      case "ask":
        // Messages that a node put before it asked are in the last values, but in LangGraph.js not
        // in the end of a run's events.
        return this.spec.saved && this.spec.calls.every(({ how }) => how !== "events")
          ? lib.interrupt({ name, number })
          : undefined;
      case "wait":
        return null;
    }
  }

  leaf(name, { acts, returns }) {
    const { lib } = this;
    return async (state, config) => {
      const run = this.counts++;
      for (const [number, one] of acts.entries()) await this.act(name, number, one, config);
      const log = [`${name} ${state.log.length}`];
      const message = (id) => ({ messages: [new lib.AIMessage({ content: `by ${name}`, id })] });
      if (returns === "message") return { ...message(`${name} ${run}`), log };
      if (returns === "same message") return message("in0");
      if (returns === "command") return new lib.Command({ update: { log } });
      return returns === "log" ? { log } : undefined;
    };
  }

  chain(nodes, options) {
    const { lib } = this;
    const state = lib.Annotation.Root({
      log: logOf(lib),
      messages: lib.MessagesAnnotation.spec.messages,
    });
    const builder = new lib.StateGraph(state);
    let last = lib.START;
    for (const [name, node] of nodes) {
      builder.addNode(name, node);
      if (options.isBranched && last !== lib.START)
        builder.addConditionalEdges(last, () => name, [name]);
      else builder.addEdge(last, name);
      last = name;
    }
    return builder.compile(options);
  }

  inside(name, { how, nodes, sees }) {
    const graph = this.chain(
      nodes.map((one, number) => [`${name}${number}`, this.leaf(`${name}${number}`, one)]),
      {},
    );
    if (how === "node") return graph;
    return async (state, config) => {
      const given = sees ? { log: ["inner"], messages: state.messages } : { log: ["inner"] };
      if (how === "invoke") return { log: [(await graph.invoke(given, config)).log.length] };
      const seen = [];
      for await (const chunk of await graph.stream(given, { ...config, streamMode: "updates" }))
        seen.push(Object.keys(chunk).join());
      return { log: seen };
    };
  }

  build() {
    const { lib, spec } = this;
    const nodes = spec.nodes.map(({ leaf, inside }, number) => [
      NAMES[number],
      inside === undefined ? this.leaf(NAMES[number], leaf) : this.inside(NAMES[number], inside),
    ]);
    return this.chain(nodes, {
      isBranched: spec.isBranched,
      store: new lib.InMemoryStore(),
      ...(spec.saved ? { checkpointer: new lib.MemorySaver() } : {}),
    });
  }

  async run() {
    const { lib, trace, spec } = this;
    trace.triggers = undefined;
    const graph = this.build();
    for (const [number, { how, modes, subgraphs, resumes }] of spec.calls.entries()) {
      const input =
        resumes && spec.saved && number > 0
          ? new lib.Command({ resume: `r${number}` })
          : { log: ["in"], messages: [new lib.HumanMessage({ content: "hi", id: `in${number}` })] };
      const config = thread("t", {
        streamMode: modes,
        tags: ["mine"],
        metadata: { m: number },
        ...(subgraphs ? { subgraphs } : {}),
        ...(spec.keys === undefined ? {} : { outputKeys: spec.keys }),
      });
      await trace.try(how, () => this.call(graph, how, input, config));
    }
  }

  async call(graph, how, input, config) {
    if (how === "invoke") return bare(await graph.invoke(input, config));
    const chunks = [];
    if (how === "stream") {
      for await (const chunk of await graph.stream(input, config)) chunks.push(bare(chunk));
      return chunks;
    }
    // When chunks of other modes pass between the events of nodes is a matter of turns, and with
    // graphs inside LangGraph.js shows more of them.
    const asked = { ...config, version: "v2", streamMode: "updates", subgraphs: false };
    for await (const { event, name, tags, metadata, data } of graph.streamEvents(input, asked))
      chunks.push([
        event,
        name,
        tags,
        Object.keys(metadata).sort(),
        event.endsWith("_stream") || event.endsWith("_end") ? bare(data) : undefined,
      ]);
    return chunks;
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Program(spec, lib, trace).run();
}
