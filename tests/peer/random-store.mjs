// SPDX-License-Identifier: MIT
// Random use of a store: what is put, deleted, read, searched by filters and by meaning, and
// listed, in namespaces good and bad; one by one, in batches, and out of a node.
import fc from "fast-check";
import { Play, logOf, often } from "./random-kit.mjs";

const SIZE = 4;
const DIGITS = 1e6;

const namespace = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom("a", "é", ""), { maxLength: 2 }) },
);
/**
 * No label begins as another one does: of those LangGraph.js gives the items, too
 * (docs/differences.md).
 */
const prefix = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 });
const key = fc.constantFrom("k", "l", "m");
const value = fc.constantFrom(
  { n: 1 },
  { n: 2, s: "x" },
  { n: "1" },
  { t: ["one", "two"], n: 3 },
  { d: { e: { f: 5 } }, n: null },
  {},
  { n: -1, b: true },
  { text: "hello" },
  { text: "bye" },
);
const filter = fc.constantFrom(
  {},
  { n: 1 },
  { n: { $gt: 1 } },
  { n: { $gte: 1, $lt: 3 } },
  { n: { $ne: 1 } },
  { n: { $eq: "1" } },
  { n: { $lte: 2 } },
  { s: "x", n: 2 },
  { d: { e: { f: 5 } } },
  { "d.e.f": 5 },
  { n: { $in: [1] } },
  { n: null },
  { t: ["one", "two"] },
  { b: { $ne: true } },
  { n: { $exists: true } },
);
const part = fc.option(fc.array(fc.constantFrom("a", "b", "c", "*"), { maxLength: 2 }), {
  nil: undefined,
});
const count = fc.option(fc.nat(3), { nil: undefined });
const index = fc.constantFrom(false, ["text"], ["t[*]"], ["d.e.f"]);

const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("put"),
      namespace,
      key,
      value,
      index: often(3, index, undefined),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom("delete", "get"), namespace, key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant("search"),
      namespace: prefix,
      options: fc.record({
        filter: often(1, filter, undefined),
        limit: count,
        offset: count,
        query: often(2, fc.constantFrom("hello", "bye now", ""), undefined),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("list"),
      options: fc.record({
        prefix: part,
        suffix: part,
        maxDepth: count,
        limit: count,
        offset: count,
      }),
    }),
  },
);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  operations: fc.array(operation, { minLength: 2, maxLength: 14 }),
  how: fc.constantFrom("alone", "alone", "batch", "node"),
  fields: fc.option(
    fc.constantFrom(["$"], ["text"], ["text", "t[*]"], ["t[0]", "d.e.f"], ["d.*"]),
    { nil: undefined },
  ),
});

/** What was said; of options only those that were given. @param {any} options */
const given = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, one]) => one !== undefined));

/** A vector of a text: as good as any. @param {string} text */
function embed(text) {
  const vector = [0, 0, 0];
  for (let i = 0; i < text.length; i++) vector[i % vector.length] += text.charCodeAt(i) % 7;
  return vector;
}

/** An item, with a score that does not hang on the last digit. @param {any} found */
function shown(found) {
  if (Array.isArray(found)) return found.map(shown);
  return found?.score === undefined ? found : { ...found, score: Math.round(found.score * DIGITS) };
}

class Program extends Play {
  /** @param {any} store */
  act(store, { op, namespace, key, value, index, options }) {
    switch (op) {
      case "put":
        // What a node's put says of its index LangGraph.js forgets.
        return store.put(
          namespace,
          key,
          value,
          ...(index === undefined || this.spec.how === "node" ? [] : [index]),
        );
      case "delete":
      case "get":
        return store[op](namespace, key);
      case "search":
        return store.search(namespace, given(options));
      case "list":
        return store.listNamespaces(given(options));
    }
  }

  /** The same as a part of a batch. */
  part({ op, namespace, key, value, index, options }) {
    if (op === "put" || op === "delete")
      return { namespace, key, value: value ?? null, ...(index === undefined ? {} : { index }) };
    if (op === "get") return { namespace, key };
    if (op === "search")
      return { namespacePrefix: namespace, limit: 10, offset: 0, ...given(options) };
    const { prefix, suffix, ...rest } = given(options);
    const conditions = Object.entries(given({ prefix, suffix }));
    return {
      matchConditions: conditions.map(([matchType, path]) => ({ matchType, path })),
      limit: 100,
      offset: 0,
      ...rest,
    };
  }

  async run() {
    const { lib, trace, spec } = this;
    const embeddings = {
      embedDocuments: async (texts) => texts.map(embed),
      embedQuery: async (text) => embed(text),
    };
    const store = new lib.InMemoryStore(
      spec.fields === undefined
        ? undefined
        : { index: { dims: 3, embeddings, fields: spec.fields } },
    );
    const all = async (store) => {
      for (const one of spec.operations)
        await trace.try(one.op, async () => shown(await this.act(store, one)));
    };
    if (spec.how === "alone") return all(store);
    if (spec.how === "node") {
      const builder = new lib.StateGraph(lib.Annotation.Root({ log: logOf(lib) })).addNode(
        "n",
        (_, config) => all(config.store),
      );
      return builder.addEdge(lib.START, "n").compile({ store }).invoke({ log: [] });
    }
    for (let at = 0; at < spec.operations.length; at += SIZE) {
      await trace.try("batch", async () =>
        (await store.batch(spec.operations.slice(at, at + SIZE).map((one) => this.part(one)))).map(
          shown,
        ),
      );
    }
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Program(spec, lib, trace).run();
}
