// SPDX-License-Identifier: MIT
// getGraph: nodes, edges, JSON and Mermaid, with subgraphs opened and closed, as LangGraph.js draws
// them.
import {
  RunnableLambda,
  RunnableMap,
  RunnablePassthrough,
  RunnableSequence,
} from "@langchain/core/runnables";
import { END, START } from "weftgraph";
import { same } from "./surface.mjs";

const step = () => ({});
const builder = (lib) => new lib.StateGraph(lib.Annotation.Root({ q: lib.Annotation }));

const STYLES = [
  undefined,
  { withStyles: false },
  {
    curveStyle: "basis",
    nodeColors: { default: "fill:red", first: "fill:blue", other: "y" },
    wrapLabelNWords: 2,
  },
  { nodeColors: {} },
];

const shownNode = ({ id, name, metadata, data }) => ({
  id,
  name,
  metadata,
  runnable: data.getName?.(),
  of: data.lc_id,
  schema: data.schema !== undefined,
});

/** Notes all that can be seen of a drawn graph. */
async function show(t, label, runnable, options) {
  const drawn = runnable.getGraph(options);
  t.note(`${label}: parts`, [
    Object.keys(drawn),
    Object.entries(drawn.nodes).map(([id, node]) => [id, Object.keys(node), shownNode(node)]),
  ]);
  t.note(
    `${label}: edges`,
    drawn.edges.map((edge) => [Object.keys(edge), edge]),
  );
  t.note(`${label}: JSON`, JSON.stringify(drawn.toJSON()));
  for (const style of STYLES) t.note(`${label}: Mermaid`, drawn.drawMermaid(style));
  t.note(`${label}: ends`, [drawn.firstNode()?.id, drawn.lastNode()?.id]);
  if (runnable.getGraphAsync)
    t.note(`${label}: later`, (await runnable.getGraphAsync(options)).drawMermaid());
}

const inner = (lib, deep) =>
  builder(lib)
    .addNode("x", step)
    .addNode("y", deep > 0 ? inner(lib, deep - 1) : step)
    .addEdge(START, "x")
    .addConditionalEdges("x", () => "y", { go: "y", stop: END })
    .addEdge("y", END)
    .compile();
const around = (lib, part) =>
  builder(lib)
    .addNode("b", step)
    .addNode("sub", part)
    .addNode("z", step)
    .addEdge(START, "b")
    .addEdge("b", "sub")
    .addEdge("sub", "z")
    .addEdge("z", END)
    .compile();
const outer = (lib, deep = 0) => around(lib, inner(lib, deep));

const shapes = {
  "a chain": (g) =>
    g.addNode("b", step).addNode("c", step).addEdge(START, "b").addEdge("b", "c").addEdge("c", END),
  "no edge to END": (g) =>
    g.addNode("b", step).addNode("c", step).addEdge(START, "b").addEdge("b", "c"),
  "edges go by their sources": (g) =>
    g
      .addNode("p", step)
      .addNode("b", step)
      .addNode("c", step)
      .addNode("aa", step)
      .addEdge(START, "p")
      .addEdge("p", "b")
      .addEdge("b", "c")
      .addEdge("b", "aa")
      .addEdge("aa", END)
      .addEdge(["c"], "aa")
      .addEdge("c", END),
  "conditions with and without a map": (g) =>
    g
      .addNode("b", step)
      .addNode("a b", step)
      .addNode("ü.x", step)
      .addEdge(START, "b")
      .addConditionalEdges("b", () => "x")
      .addConditionalEdges("a b", () => "x", { yes: "b", b: "b", no: END })
      .addConditionalEdges("ü.x", () => "x", ["b", END]),
  "a condition at START": (g) =>
    g
      .addNode("b", step)
      .addNode("c", step)
      .addConditionalEdges(START, () => "b", ["b", "c"])
      .addEdge("b", "c"),
  "a condition at START that may go anywhere": (g) =>
    g
      .addNode("b", step)
      .addNode("c", step)
      .addConditionalEdges(START, () => "b"),
  "a condition that may end": (g) =>
    g
      .addNode("p", step)
      .addNode("r", step)
      .addConditionalEdges(START, () => "p", ["p", "r", END])
      .addEdge("p", "r"),
  "a join": (g) =>
    g
      .addNode("b", step)
      .addNode("c", step)
      .addNode("d", step)
      .addEdge(START, "b")
      .addEdge(START, "c")
      .addEdge(["b", "c"], "d"),
  ends: (g) =>
    g
      .addNode("b", step, { ends: ["c", END] })
      .addNode("c", step)
      .addEdge(START, "b"),
  "ends beside an edge": (g) =>
    g
      .addNode("p", step, { ends: ["r"] })
      .addNode("r", step)
      .addNode("s", step)
      .addEdge(START, "p")
      .addEdge("p", "s"),
  "nodes that lead nowhere go by their names": (g) =>
    g
      .addNode("w", step)
      .addNode("subgraph", step)
      .addNode("z", step)
      .addNode("y", step)
      .addNode("A", step)
      .addEdge(START, "w")
      .addEdge(START, "y")
      .addEdge("w", "z")
      .addEdge("w", "subgraph")
      .addEdge("w", "A"),
  "a node called as Mermaid's word": (g) =>
    g
      .addNode("b", step)
      .addNode("subgraph", step, { metadata: { k: 1 }, ends: ["b"] })
      .addNode("Subgraph", step, { ends: ["subgraph"] })
      .addEdge(START, "Subgraph")
      .addConditionalEdges("b", () => "subgraph", { subgraph: "subgraph" })
      .addConditionalEdges("subgraph", () => "b", { go: "b", subgraph: "subgraph" }),
  "a loop": (g) =>
    g
      .addNode("b", step)
      .addNode("c", step)
      .addEdge(START, "b")
      .addEdge("b", "c")
      .addConditionalEdges("c", () => "b", { again: "b", done: END }),
  "a loop without end": (g) =>
    g.addNode("b", step).addNode("c", step).addEdge(START, "b").addEdge("b", "c").addEdge("c", "b"),
  "a node that leads to itself": (g) =>
    g
      .addNode("b", step)
      .addNode("c", step)
      .addEdge(START, "b")
      .addConditionalEdges("b", () => "b", ["b", "c"])
      .addEdge("c", "c"),
  "names and labels": (g) =>
    g
      .addNode("b", step)
      .addNode("*c*", step)
      .addNode("_d_", step)
      .addNode("`e", step)
      .addEdge(START, "b")
      .addConditionalEdges("b", () => "c", {
        "one two three four five six seven eight nine ten eleven": "*c*",
        "a b": "_d_",
        x: "`e",
      }),
  metadata: (g) =>
    g
      .addNode("b", step, { metadata: { x: 1, o: { p: 1 } }, tags: ["q"] })
      .addNode("c", step, { defer: true })
      .addEdge(START, "b")
      .addEdge("b", "c"),
  Runnables: (g) =>
    g
      .addNode("b", RunnableLambda.from(step))
      .addNode("c", RunnableLambda.from(step).withConfig({ runName: "zz" }))
      .addNode("s", RunnableSequence.from([step, step]))
      .addNode("named", function other() {})
      .addEdge(START, "b")
      .addEdge("b", "c")
      .addEdge("c", "s")
      .addEdge("s", "named"),
};

for (const [label, shape] of Object.entries(shapes)) {
  same(label, async (lib, t) => {
    await show(t, label, shape(builder(lib)).compile());
    await show(t, `${label}, opened`, around(lib, shape(builder(lib)).compile()), { xray: true });
  });
}

same("breakpoints", async (lib, t) => {
  for (const options of [
    { interruptBefore: ["b"], interruptAfter: ["b", "c"] },
    { interruptBefore: "*", interruptAfter: ["c"] },
  ]) {
    const graph = builder(lib)
      .addNode("b", step, { metadata: { k: 1 } })
      .addNode("c", step)
      .addEdge(START, "b")
      .addEdge("b", "c");
    await show(t, "stops", graph.compile(options));
  }
});

same("levels of subgraphs", async (lib, t) => {
  for (const xray of [undefined, null, false, true, 0, 1, 2, 3, -1, 0.5, "all", ""])
    await show(t, `xray ${xray}`, outer(lib, 2), { xray });
  const part = inner(lib, 0);
  const twice = builder(lib)
    .addNode("s1", part)
    .addNode("s2", part)
    .addEdge(START, "s1")
    .addEdge("s1", "s2")
    .compile();
  await show(t, "the same twice", twice, { xray: true });
  await show(t, "a lone node", around(lib, shapes["a chain"](builder(lib)).compile()), {
    xray: true,
  });
});

same("graphs in sequences, and those that a node names", async (lib, t) => {
  const lambda = () => RunnableLambda.from(step);
  const parts = {
    last: [lambda().pipe(inner(lib, 1))],
    first: [inner(lib, 0).pipe(lambda())],
    two: [RunnableSequence.from([inner(lib, 0), lambda(), inner(lib, 1)])],
    none: [lambda().pipe(lambda())],
    named: [step, { subgraphs: [inner(lib, 0), inner(lib, 1)] }],
  };
  for (const [label, part] of Object.entries(parts)) {
    const graph = builder(lib)
      .addNode("subgraph", ...part)
      .addNode("c", step)
      .addEdge(START, "subgraph")
      .addEdge("subgraph", "c")
      .compile();
    for (const xray of [true, 1]) await show(t, `${label} ${xray}`, graph, { xray });
    await show(t, `${label}, opened`, around(lib, graph), { xray: true });
  }
});

same("a graph inside that has no lone way in or out", async (lib, t) => {
  const inside = {
    two: (g) => g.addEdge(START, "x").addEdge(START, "y"),
    asked: (g) => g.addConditionalEdges(START, () => "x", ["x", "y"]).addEdge("x", END),
    open: (g) => g.addConditionalEdges(START, () => "x", ["x", "y"]),
    "may be left out": (g) => g.addConditionalEdges(START, () => "x", ["x", END]).addEdge("x", "y"),
  };
  const edges = {
    "goes on": (g) => g.addEdge("sub", "c"),
    both: (g) => g.addEdge("b", "c"),
    ends: (g) => g.addEdge("sub", "c").addEdge("c", END),
    "is the end": (g) => g,
  };
  for (const [label, shape] of Object.entries(inside)) {
    for (const [edge, add] of Object.entries(edges)) {
      const part = shape(builder(lib).addNode("x", step).addNode("y", step)).compile();
      const graph = add(
        builder(lib)
          .addNode("b", step)
          .addNode("sub", part)
          .addNode("c", step, { ends: [END] })
          .addEdge(START, "b")
          .addEdge("b", "sub")
          .addConditionalEdges("b", () => "c", ["c"]),
      );
      await show(t, `${label}, ${edge}`, graph.compile(), { xray: true });
    }
  }
});

same("what a drawn graph can do", (lib, t) => {
  const drawn = outer(lib).getGraph();
  t.note("taken in", [
    drawn.extend(inner(lib, 0).getGraph(), "pre").map((node) => node?.id),
    Object.keys(drawn.nodes),
    drawn.edges,
  ]);
  const trimmed = outer(lib).getGraph();
  trimmed.trimFirstNode();
  trimmed.trimLastNode();
  t.note("trimmed", [Object.keys(trimmed.nodes), trimmed.edges]);
  const grown = outer(lib).getGraph();
  const added = grown.addNode(RunnableLambda.from(step), "id1", { m: 1 });
  t.note("added", [
    added.id,
    added.name,
    added.metadata,
    grown.addEdge(grown.nodes.b, added, "label", true),
  ]);
  for (const wrong of [
    () => grown.addEdge({ id: "zz" }, added),
    () => grown.addEdge(added, { id: "zz" }),
    () => grown.addNode(RunnableLambda.from(step), "id1"),
  ]) {
    t.try("wrong", async () => wrong());
  }
  grown.removeNode(added);
  t.note("removed", [Object.keys(grown.nodes), grown.edges.length]);
  t.note("names for ids", Object.keys(outer(lib).getGraph({ xray: true }).reid().nodes));
});

same("sequences, ours and LangChain's", (lib, t) => {
  const graph = outer(lib);
  const made = {
    piped: graph.pipe((value) => value),
    mapped: graph.pipe({ x: (value) => value }),
    "core's": RunnableSequence.from([graph, (value) => value]),
    last: RunnableSequence.from([(value) => value, graph]),
    twice: RunnableSequence.from([(value) => value, graph, graph]),
    map: RunnableMap.from({ graph }),
    assign: RunnablePassthrough.assign({ graph }),
  };
  for (const [label, runnable] of Object.entries(made)) {
    t.note(label, runnable.getGraph().drawMermaid());
    t.note(`${label} JSON`, JSON.stringify(runnable.getGraph().toJSON()));
  }
});

same("drawMermaidPng asks mermaid.ink", async (lib, t) => {
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => {
    t.note("asked", String(url));
    return new Response(
      "PNG",
      String(url).includes("bad") ? { status: 500, statusText: "no" } : {},
    );
  };
  try {
    const drawn = outer(lib).getGraph();
    for (const options of [
      undefined,
      null,
      { backgroundColor: null },
      { backgroundColor: "#fff" },
      { backgroundColor: "bad" },
    ]) {
      await t.try("picture", async () => (await drawn.drawMermaidPng(options)).text());
    }
  } finally {
    globalThis.fetch = fetch;
  }
});

same("odd options of drawMermaid", async (lib, t) => {
  const graph = builder(lib).addNode("b", step).addNode("c", step).addEdge(START, "b");
  const drawn = graph
    .addConditionalEdges("b", () => "c", { "w0 w1 w2 w3 w4": "c", stop: END })
    .compile()
    .getGraph();
  const wraps = [
    0,
    -1,
    -2,
    0.5,
    1.5,
    2.5,
    -0.5,
    NaN,
    Infinity,
    null,
    false,
    true,
    "2",
    "x",
    [2],
    {},
    2n,
  ];
  for (const options of [
    null,
    { nodeColors: null },
    { nodeColors: "ab" },
    { curveStyle: null },
    { withStyles: null },
    ...wraps.map((wrapLabelNWords) => ({ wrapLabelNWords })),
  ]) {
    await t.try("drawn", () => drawn.drawMermaid(options));
  }
});

same("what a graph's branches are kept under", async (lib, t) => {
  const graph = builder(lib).addNode("b", step).addNode("c", step).addEdge(START, "b");
  graph
    .addConditionalEdges("b", () => "c", { go: "c", stop: END })
    .addConditionalEdges("c", () => END);
  const kept = graph.compile().builder.branches;
  t.note(
    "sources",
    Object.entries(kept).map(([source, named]) => [source, Object.keys(named)]),
  );
  t.note(
    "ends",
    Object.values(kept).flatMap((named) => Object.values(named).map(({ ends }) => ends)),
  );
});

same("older graphs", async (lib, t) => {
  const graph = () =>
    new lib.Graph()
      .addNode("a", step)
      .addNode("b", RunnableLambda.from(step), { metadata: { k: 1 } })
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", END);
  const older = graph().compile();
  await show(t, "a chain", older);
  await show(t, "a copy", older.withConfig({ tags: ["x"] }));
  await show(
    t,
    "stops",
    graph().compile({ interruptBefore: ["b"], checkpointer: new lib.MemorySaver() }),
  );
  const nested = () =>
    new lib.Graph()
      .addNode("g", older)
      .addNode("z", step)
      .addEdge(START, "g")
      .addEdge("g", "z")
      .addEdge("z", END)
      .compile();
  for (const xray of [false, true]) await show(t, "around", nested(), { xray });
  await show(t, "inside", around(lib, older), { xray: true });
  t.note("shape", [
    older.lc_id,
    Object.keys(older.channels),
    older.autoValidate,
    older.triggerToNodes,
    [...nested().getSubgraphs()].map(([name]) => name),
  ]);
});

same("a drawing of a graph that only begins", async (lib, t) => {
  t.note(
    "drawn",
    new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("a", () => ({}), { ends: ["a"] })
      .compile()
      .getGraph()
      .drawMermaid(),
  );
});
