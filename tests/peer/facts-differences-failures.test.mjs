// SPDX-License-Identifier: MIT
// docs/differences.md, failures and tools: each claim holds of LangGraph.js, and Weft does the
// other thing.
import { setTimeout as pause } from "node:timers/promises";
import { tool } from "@langchain/core/tools";
import { chain, logState, thread } from "./harness.mjs";
import { differs, orLate, saved, shownBy, sideBySide, told, tried } from "./differences.mjs";
import { ScriptedModel, call, drain } from "./scripted-model.mjs";

const fails = (text) => {
  throw new Error(text);
};

/**
 * Runs a graph whose node `b` fails, or asks, at first, and goes on.
 * @returns how often `a` ran
 */
async function goesOn(lib, a, how, state) {
  let isBroken = how === "fails";
  const b = async () => {
    await pause(3);
    if (how === "asks") lib.interrupt("q");
    return isBroken ? fails("broken") : {};
  };
  const graph = sideBySide(lib, { a, b }, { state }).compile(saved(lib));
  await tried(() => graph.invoke({}, thread("t")));
  isBroken = false;
  await graph.invoke(how === "asks" ? new lib.Command({ resume: 1 }) : null, thread("t"));
}

for (const how of ["fails", "asks"]) {
  differs(
    `a finished task that wrote untracked values only stays finished when a neighbour ${how}`,
    async (lib) => {
      const state = new lib.StateSchema({ u: new lib.UntrackedValue() });
      let runs = 0;
      await goesOn(lib, () => (runs++, { u: 1 }), how, state);
      return runs;
    },
    { theirs: 2, ours: 1 },
  );
  differs(
    `an error handler that has finished stays finished when a neighbour ${how}`,
    async (lib) => {
      let runs = 0;
      await goesOn(lib, [() => fails("a"), { errorHandler: () => (runs++, {}) }], how);
      return runs;
    },
    { theirs: 2, ours: 1 },
  );
}

differs(
  "a finished task of a graph inside stays finished when an answer names that graph's checkpoint",
  async (lib) => {
    let runs = 0;
    const inner = sideBySide(lib, {
      done: () => (runs++, { log: ["done"] }),
      asks: () => ({ log: [lib.interrupt("q")] }),
    }).compile();
    const graph = chain(lib, { inner: [inner] }, saved(lib));
    await graph.invoke({ log: [] }, thread("t"));
    const { tasks } = await graph.getState(thread("t"), { subgraphs: true });
    await graph.invoke(new lib.Command({ resume: 1 }), tasks[0].state.config);
    return runs;
  },
  { theirs: 2, ours: 1 },
);

differs(
  "a finished task is not marked as aborted when a neighbour fails, nor has one an error that was cut short",
  async (lib) => {
    const graph = sideBySide(lib, {
      done: async () => ({ log: ["done"] }),
      late: () => pause(20, {}),
      z: async () => fails("z"),
    }).compile(saved(lib));
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    return (await graph.getState(thread("t"))).tasks.map(({ error }) => error?.name ?? "none");
  },
  { theirs: ["AbortError", "AbortError", "Error"], ours: ["none", "none", "Error"] },
);

differs(
  "a Command for the parent is no error of its task",
  async (lib) => {
    const leaves = () => new lib.Command({ graph: lib.Command.PARENT, update: { log: ["up"] } });
    const graph = sideBySide(lib, {
      inner: chain(lib, { leaves }, { state: logState(lib) }),
      asks: () => (lib.interrupt("q"), {}),
    }).compile(saved(lib));
    await graph.invoke({ log: [] }, thread("t"));
    const { tasks } = await graph.getState(thread("t"), { subgraphs: true });
    return tasks[0].state.tasks[0].error?.name ?? "none";
  },
  { theirs: "ParentCommand", ours: "none" },
);

differs(
  "a node whose condition fails runs again",
  async (lib) => {
    let isBroken = true;
    const graph = sideBySide(lib, { a: () => ({ log: ["a"] }) })
      .addNode("b", () => ({ log: ["b"] }))
      .addConditionalEdges("a", () => (isBroken ? fails("condition") : "b"), ["b"])
      .compile(saved(lib));
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    isBroken = false;
    return [(await graph.getState(thread("t"))).next, (await graph.invoke(null, thread("t"))).log];
  },
  { theirs: [[], ["a"]], ours: [["a"], ["a", "b"]] },
);

differs(
  "a node that fails after pushMessage() runs again",
  async (lib) => {
    let isBroken = true;
    const a = () => {
      lib.pushMessage(new lib.AIMessage({ id: "p", content: "pushed" }));
      return isBroken ? fails("a") : { messages: [new lib.AIMessage({ id: "r", content: "r" })] };
    };
    const graph = chain(lib, { a }, saved(lib, { state: lib.MessagesAnnotation }));
    await tried(() => graph.invoke({ messages: [] }, thread("t")));
    isBroken = false;
    return (await graph.invoke(null, thread("t"))).messages.map(({ text }) => text);
  },
  { theirs: ["pushed"], ours: ["pushed", "r"] },
);

differs(
  "a step longer than stepTimeout fails with Abort, also where a task has ended",
  async (lib) => {
    const late = () => pause(60, { log: ["late"] });
    const quick = () => ({ log: ["quick"] });
    const seen = {};
    for (const [name, nodes] of Object.entries({
      alone: { late },
      ended: { late, quick },
      handled: { late: [late, { errorHandler: () => ({}) }], quick },
    })) {
      const graph = sideBySide(lib, nodes).compile();
      graph.stepTimeout = 10;
      seen[name] = await tried(async () => shownBy(await graph.invoke({ log: [] })));
    }
    return seen;
  },
  {
    theirs: {
      alone: "Error: Abort",
      ended: "TimeoutError: The operation was aborted due to timeout",
      handled: ["quick"],
    },
    ours: { alone: "Error: Abort", ended: "Error: Abort", handled: "Error: Abort" },
  },
);

differs(
  "a call without a thread is refused before anything runs",
  async (lib) => {
    const ran = [];
    const graph = chain(
      lib,
      { a: () => (ran.push("a"), {}), b: () => (ran.push("b"), {}) },
      saved(lib),
    );
    return [await tried(() => graph.invoke({ log: [] })), ran];
  },
  {
    theirs: ["Error: Failed to put checkpoint", ["a", "b"]],
    ours: ["Error: Failed to put checkpoint", []],
  },
);

differs(
  "a call whose signal is aborted saves nothing",
  async (lib) => {
    const graph = chain(lib, { a: () => ({}) }, saved(lib));
    await tried(() => graph.invoke({ log: ["in"] }, thread("t", { signal: AbortSignal.abort() })));
    await pause(5);
    return (await graph.getState(thread("t"))).next;
  },
  { theirs: ["__start__"], ours: [] },
);

differs(
  "what a timer calls when its node has ended stands for itself",
  async (lib) => {
    const late = deferred();
    const store = new lib.InMemoryStore();
    let isLate = false;
    const a = (_, config) => {
      if (isLate) return { log: ["late"] };
      setTimeout(() => {
        isLate = true;
        const asked = orLate(lib, config.store.get(["n"], "k"), "never");
        late.resolve(Promise.all([tried(() => graph.invoke({ log: [] })), asked]));
      }, 15);
      return { log: ["a"] };
    };
    const graph = chain(lib, { a }, saved(lib, { store }));
    await graph.invoke({ log: [] }, thread("t"));
    const [called, asked] = await late.promise;
    return [called.log ?? called, asked];
  },
  { theirs: [["late"], "never"], ours: ["Error: Failed to put checkpoint", null] },
);

/** @returns {any} a promise, and what resolves it */
function deferred() {
  const made = {};
  made.promise = new Promise((resolve) => (made.resolve = resolve));
  return made;
}

differs(
  "what a reducer emptied stays empty under durability exit",
  async (lib) => {
    const reducer = (_, right) => (right === "empty" ? undefined : right);
    const a = lib.Annotation({ reducer, default: () => "default" });
    const seen = [];
    const node = (state) => (seen.push("a" in state), { a: seen.length === 1 ? "empty" : "full" });
    const state = lib.Annotation.Root({ a, b: lib.Annotation });
    const graph = chain(lib, { node }, saved(lib, { state }));
    for (let run = 0; run < 2; run++)
      await graph.invoke({ b: 1 }, thread("t", { durability: "exit" }));
    return seen;
  },
  { theirs: [true, true], ours: [true, false] },
);

differs(
  "no Send is dropped: one to an unknown node is an error as input, one without arguments runs its node",
  async (lib) => {
    const graph = chain(lib, { a: () => ({ log: ["a"] }) }, saved(lib));
    const go = (send) =>
      tried(async () =>
        shownBy(await graph.invoke(new lib.Command({ goto: send }), thread(send.node))),
      );
    return [await go(new lib.Send("unknown", {})), await go(new lib.Send("a"))];
  },
  {
    theirs: [[], []],
    ours: ['InvalidUpdateError: Invalid node name "unknown" in Send packet', ["a"]],
  },
);

differs(
  "an UntrackedValue that comes with a Command from outside reaches the run",
  async (lib) => {
    const state = new lib.StateSchema({ u: new lib.UntrackedValue() });
    const seen = [];
    const graph = chain(
      lib,
      { a: ({ u }) => (seen.push(u), lib.interrupt("q"), {}) },
      saved(lib, { state }),
    );
    await graph.invoke({ u: "input" }, thread("t"));
    await graph.invoke(new lib.Command({ resume: 1, update: { u: "Command" } }), thread("t"));
    return seen;
  },
  { theirs: ["input", undefined], ours: ["input", "Command"] },
);

/** What a graph around `inner`, whose node leaves for `z`, has in the end. */
async function leaving(lib, inner, options) {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("inner", inner, { ends: ["z"], ...options })
    .addNode("z", () => ({ log: ["z"] }))
    .addEdge(lib.START, "inner")
    .compile(saved(lib));
  return shownBy(await graph.invoke({ log: [] }, thread("t")));
}

differs(
  "a Command for the parent arrives out of a graph with `checkpointer: true`, and in a second attempt",
  async (lib) => {
    const leave = () =>
      new lib.Command({ graph: lib.Command.PARENT, update: { log: ["up"] }, goto: "z" });
    let attempts = 0;
    const second = () => (attempts++ === 0 ? fails("first") : leave());
    const retryPolicy = { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false };
    return [
      await leaving(lib, chain(lib, { leave }, { checkpointer: true })),
      await leaving(lib, chain(lib, { second }), { retryPolicy }),
    ];
  },
  {
    theirs: [[], []],
    ours: [
      ["up", "z"],
      ["up", "z"],
    ],
  },
);

const makeTool = (name, act, properties = {}) =>
  tool(act, { name, schema: { type: "object", properties } });
const NUMBER = { n: { type: "number" } };
const asking = (lib, ...calls) => new lib.AIMessage({ id: "m", content: "", tool_calls: calls });
const toolGraph = (lib, tools, options) =>
  chain(lib, { tools: [new lib.ToolNode(tools)] }, { state: lib.MessagesAnnotation, ...options });

differs(
  "a tool's Command for the parent arrives with its update beside Sends",
  async (lib) => {
    const goto = [new lib.Send("z", {})];
    const leaves = makeTool(
      "t",
      () => new lib.Command({ graph: lib.Command.PARENT, goto, update: { log: ["up"] } }),
    );
    const messages = [asking(lib, call("t", {}, "c"))];
    const inner = toolGraph(lib, [leaves]);
    return leaving(lib, async (_, config) => inner.invoke({ messages }, config));
  },
  { theirs: ["z"], ours: ["up", "z"] },
);

differs(
  "what is taken without a word there is refused by its value",
  async (lib) => {
    const graph = chain(lib, { a: () => ({ log: ["a"] }) }, saved(lib));
    const to = (act) => sideBySide(lib, { a: () => ({ log: ["a"] }), ...act });
    let steps = 0;
    const endless = to({})
      .addNode("b", () => (steps++ < 40 ? {} : fails("no limit")))
      .addEdge("a", "b")
      .addEdge("b", "b")
      .compile();
    const nowhere = to({ b: () => ({}) })
      .addConditionalEdges("a", () => "nowhere")
      .compile();
    const { Annotation } = lib;
    const reducer = () => Promise.resolve([]);
    const slow = Annotation.Root({ log: Annotation({ reducer, default: () => [] }) });
    const { StateGraph } = lib;
    return {
      mode: await tried(() => drain(graph.stream({ log: [] }, thread("m", { streamMode: "all" })))),
      durability: await tried(async () =>
        shownBy(await graph.invoke({ log: [] }, thread("d", { durability: "never" }))),
      ),
      limit: await tried(() => endless.invoke({ log: [] }, { recursionLimit: "many" })),
      option: await tried(() => (new StateGraph(slow, { configSchema: slow }), "taken")),
      then: await tried(
        () => (to({}).addConditionalEdges({ source: "a", path: () => "a", then: "a" }), "taken"),
      ),
      agent: await tried(
        () => (
          lib.createReactAgent({ llm: new ScriptedModel(""), tools: [], version: "v3" }), "taken"
        ),
      ),
      condition: await tried(async () => shownBy(await nowhere.invoke({ log: [] }))),
      reducer: await tried(async () =>
        JSON.stringify(await chain(lib, { a: () => ({}) }, { state: slow }).invoke({ log: [] })),
      ),
    };
  },
  {
    theirs: {
      mode: [],
      durability: ["a"],
      limit: "Error: no limit",
      option: "taken",
      then: "taken",
      agent: "taken",
      condition: ["a"],
      reducer: '{"log":{}}',
    },
    ours: {
      mode: "BAD_ARGUMENT",
      durability: "BAD_ARGUMENT",
      limit: "BAD_ARGUMENT",
      option: "BAD_ARGUMENT",
      then: "BAD_ARGUMENT",
      agent: "BAD_ARGUMENT",
      condition: "BAD_ARGUMENT",
      reducer: "BAD_ARGUMENT",
    },
  },
);

differs(
  "as there: unknown keys are passed over, a goto to no node leads nowhere, the first of two tools of one name is called",
  async (lib) => {
    const a = () => new lib.Command({ goto: "nowhere", update: { log: ["a"], unknown: 1 } });
    const tools = [1, 2].map((n) => makeTool("t", () => `tool ${n}`));
    const [answer] = await new lib.ToolNode(tools).invoke([asking(lib, call("t", {}, "c"))]);
    const graph = sideBySide(lib, { a: [a, { ends: ["a"] }] }).compile();
    return [await graph.invoke({ log: [], other: 1 }), answer.content];
  },
  { theirs: [{ log: ["a"] }, "tool 1"], ours: [{ log: ["a"] }, "tool 1"] },
);

differs(
  "arguments of the wrong kind are named",
  async (lib) => {
    const graph = chain(lib, { a: () => ({}) }, saved(lib));
    const acts = [
      () => graph.getState(),
      () => graph.batch(),
      () => new lib.Command(),
      () => lib.entrypoint(),
      () => lib.createReactAgent(),
    ];
    return [...new Set((await Promise.all(acts.map(tried))).map((text) => text.split(":")[0]))];
  },
  { theirs: ["TypeError"], ours: ["BAD_ARGUMENT"] },
);

differs(
  "what is thrown comes out as it is, a text or `null` too, and its task's error has texts",
  async (lib) => {
    const seen = [];
    for (const thrown of ["text", null, Object.assign(new Error(), { name: 6, message: 5 })]) {
      const graph = chain(
        lib,
        {
          inner: [
            chain(lib, {
              deep: () => {
                throw thrown;
              },
            }),
          ],
        },
        saved(lib),
      );
      const error = await graph.invoke({ log: [] }, thread("t")).catch((given) => given);
      const [task] = (await graph.getState(thread("t"))).tasks;
      seen.push([error === thrown, error?.pregelTaskId !== undefined, error?.node, task.error]);
    }
    return seen.map(([isSame, ...more]) => [isSame, ...(isSame ? more : [])]);
  },
  {
    theirs: [[false], [false], [true, true, undefined, { name: 6, message: 5 }]],
    ours: [
      [true, false, undefined, { name: "Error", message: "text" }],
      [true, false, undefined, { name: "Error", message: "null" }],
      [true, false, "deep", { name: "6", message: "5" }],
    ],
  },
);

differs(
  "a graph that a task() calls with `null` fails with EmptyInputError",
  async (lib) => {
    const inner = chain(lib, { a: () => ({}) });
    const calls = lib.task("calls", () => inner.invoke(null));
    return tried(() => lib.entrypoint("e", async () => ({ got: await calls() })).invoke({}));
  },
  {
    theirs: { got: undefined },
    ours: 'EmptyInputError: Received no input writes for "__start__"',
  },
);

differs(
  "maxConcurrency: 1 runs one task after the other, and one tool call after the other",
  async (lib) => {
    let now = 0;
    let most = 0;
    const work = async () => ((most = Math.max(most, ++now)), await pause(3), now--, "done");
    const node = (name) => () => ({ log: [name] });
    const graph = sideBySide(
      lib,
      { a: node("a"), b: node("b"), z: node("z") },
      { to: "z" },
    ).compile();
    const { log } = await graph.invoke({ log: [] }, { maxConcurrency: 1 });
    const calls = ["1", "2", "3"].map((id) => call("t", {}, id));
    const tools = toolGraph(lib, [makeTool("t", work)]);
    await tools.invoke({ messages: [asking(lib, ...calls)] }, { maxConcurrency: 1 });
    return [log, most];
  },
  { theirs: [[], 3], ours: [["a", "b", "z"], 1] },
);

differs(
  "batch heeds withConfig, and store.put in a node its index",
  async (lib) => {
    const seen = [];
    const a = async (_, { store }) => (await store.put(["n"], "k", { x: "X", y: "Y" }, ["x"]), {});
    const embeddings = {
      embedDocuments: async (texts) => (seen.push(...texts), texts.map(() => [1])),
      embedQuery: async () => [1],
    };
    const store = new lib.InMemoryStore({ index: { dims: 1, embeddings, fields: ["$"] } });
    const graph = chain(lib, { a }, { store });
    await graph.invoke({ log: [] });
    const signal = AbortSignal.abort(new Error("stopped"));
    const stopped = await tried(() => graph.withConfig({ signal }).batch([{ log: ["b"] }]));
    return [stopped[0]?.log ?? stopped, seen[0]];
  },
  {
    theirs: [["b"], JSON.stringify({ x: "X", y: "Y" }, null, 2)],
    ours: ["Error: stopped", "X"],
  },
);

differs(
  "tasks of one step with the same key each get what a cache keeps, once; so do calls of task()",
  async (lib) => {
    const cache = new lib.InMemoryCache();
    let runs = 0;
    const cachePolicy = { keyFunc: () => "same" };
    const graph = new lib.StateGraph(logState(lib))
      .addNode("w", () => ({ log: [++runs] }), { cachePolicy })
      .addConditionalEdges(lib.START, () => [new lib.Send("w", {}), new lib.Send("w", {})], ["w"])
      .compile({ cache });
    await graph.invoke({ log: [] });
    const counts = lib.task({ name: "counts", cachePolicy }, async () => ++runs);
    const work = lib.entrypoint({ name: "e", cache }, () => Promise.all([counts(), counts()]));
    await work.invoke({});
    const { log } = await graph.invoke({ log: [] });
    return [log.sort(), await tried(() => work.invoke({}))];
  },
  {
    theirs: [[2, 2, 5], "Error: BUG"],
    ours: [
      [2, 2],
      [4, 4],
    ],
  },
);

differs(
  "a call whose cache cannot be read fails like any other; a keyFunc without a cache is not called",
  async (lib) => {
    const cache = new lib.InMemoryCache();
    cache.get = async () => fails("unreadable");
    let asked = 0;
    const one = lib.task({ name: "one", cachePolicy: {} }, async () => 1);
    const body = () => one().catch(told);
    const cachePolicy = { keyFunc: () => `${asked++}` };
    await chain(lib, { a: [() => ({}), { cachePolicy }] }).invoke({ log: [] });
    const work = lib.entrypoint({ name: "e", cache }, body);
    return [
      (await orLate(
        lib,
        tried(() => work.invoke({})),
        "never",
      )) ?? "nothing",
      asked,
    ];
  },
  { theirs: ["nothing", 1], ours: ["Error: unreadable", 0] },
);

differs(
  "several tool calls of one message ask together",
  async (lib) => {
    const asks = makeTool("t", ({ n }) => lib.interrupt(n), NUMBER);
    const messages = [asking(lib, call("t", { n: 1 }, "1"), call("t", { n: 2 }, "2"))];
    return shownBy(await toolGraph(lib, [asks], saved(lib)).invoke({ messages }, thread("t")));
  },
  { theirs: [1], ours: [1, 2] },
);

differs(
  "graphs that tool calls call have namespaces by their call",
  async (lib) => {
    const places = [];
    const inner = chain(lib, {
      i: (_, { configurable }) => (places.push(configurable.checkpoint_ns.split("|")[1]), {}),
    });
    const calls = makeTool("t", async () => (await inner.invoke({ log: [] }), ""));
    const messages = [asking(lib, call("t", {}, "1"), call("t", {}, "2"))];
    await toolGraph(lib, [calls], saved(lib)).invoke({ messages }, thread("t"));
    return places.map((place) => place.split(":")[0]);
  },
  { theirs: ["i", "1"], ours: ["t", "t"] },
);

for (const isNamed of [false, true])
  differs(
    `a tool call that finished does not run again when somebody answers${isNamed ? ", who names the checkpoint" : ""}`,
    async (lib) => {
      let runs = 0;
      const tools = [
        makeTool("works", () => (runs++, "")),
        makeTool("asks", () => lib.interrupt("q")),
      ];
      const graph = toolGraph(lib, tools, saved(lib));
      const messages = [asking(lib, call("works", {}, "1"), call("asks", {}, "2"))];
      await graph.invoke({ messages }, thread("t"));
      const { config } = await graph.getState(thread("t"));
      await graph.invoke(new lib.Command({ resume: 1 }), isNamed ? config : thread("t"));
      return runs;
    },
    { theirs: 2, ours: 1 },
  );

differs(
  "a step of tool calls saves two more checkpoints under durability exit",
  async (lib) => {
    const tools = [new lib.ToolNode([makeTool("t", () => "")])];
    const graph = chain(
      lib,
      { tools, z: () => ({}) },
      saved(lib, { state: lib.MessagesAnnotation }),
    );
    const messages = [asking(lib, call("t", {}, "1"))];
    await graph.invoke({ messages }, thread("t", { durability: "exit" }));
    return (await drain(graph.getStateHistory(thread("t")))).length;
  },
  { theirs: 1, ours: 3 },
);

differs(
  "malformed tool calls get an answer",
  async (lib) => {
    const ran = [];
    const tools = [
      makeTool("t", ({ n }) => (ran.push(n), ""), NUMBER),
      makeTool("throws", () => {
        throw "a text";
      }),
    ];
    const answers = async (fields) => {
      const message = new lib.AIMessage({ id: "m", content: "", ...fields });
      const { messages } = await toolGraph(lib, tools).invoke({ messages: [message] });
      return messages.slice(1).map(({ status, content }) => [status, content.slice(0, 13)]);
    };
    const bad = { name: "t", args: "{bad", id: "b", error: "bad" };
    return {
      json: (await answers({ invalid_tool_calls: [bad] })).map(([status]) => status),
      id: (await answers({ tool_calls: [{ name: "t", args: { n: 1 } }] }))[0][0],
      twice: (
        await answers({ tool_calls: [call("t", { n: 2 }, "c"), call("t", { n: 3 }, "c")] })
      ).map(([status]) => status),
      thrown: await answers({ tool_calls: [call("throws", {}, "c")] }),
      ran,
    };
  },
  {
    theirs: {
      json: [],
      id: "success",
      twice: ["success", "success"],
      thrown: [["error", "Error: undefi"]],
      ran: [1, 2, 3],
    },
    ours: {
      json: ["error"],
      id: "error",
      twice: ["success", "error"],
      thrown: [["error", "Error: a text"]],
      ran: [2],
    },
  },
);

differs(
  "a tool call with the id of an earlier message is new again",
  async (lib) => {
    let runs = 0;
    const works = makeTool("t", () => (runs++, ""));
    const llm = new ScriptedModel(() => (runs < 2 ? [call("t", {}, "same")] : "end"));
    const agent = lib.createReactAgent({ llm, tools: [works] });
    return tried(async () => {
      const { messages } = await agent.invoke({ messages: "hi" }, { recursionLimit: 12 });
      return messages.at(-1).text;
    });
  },
  {
    theirs: "GraphRecursionError: Recursion limit of 12 reached without hitting a stop condition",
    ours: "end",
  },
);
