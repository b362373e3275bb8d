// SPDX-License-Identifier: MIT
// Serves: pictures of graphs without network: drawSvg is well-formed, shows all nodes and edges,
// keeps names from being markup, and ends on any graph.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, END, START, StateGraph } from "weftgraph";
import { drawSvg, layoutGraph } from "weftgraph/svg";

const step = () => ({});
const builder = () => new StateGraph(Annotation.Root({ q: Annotation }));

/** Elements by name; throws when tags do not close in order. */
function elements(svg) {
  const open = [];
  const counts = {};
  for (const [, close, name, attributes, lone] of svg.matchAll(
    /<(\/?)([a-z]+)((?:\s[a-zA-Z:-]+="[^"<]*")*)(\/?)>/g,
  )) {
    if (close) assert.equal(open.pop(), name);
    else counts[name] = [...(counts[name] ?? []), attributes];
    if (!close && !lone) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.equal(
    svg.match(/</g).length,
    svg.match(/<(\/?)([a-z]+)((?:\s[a-zA-Z:-]+="[^"<]*")*)(\/?)>/g).length,
    "a sign < that begins no tag",
  );
  return counts;
}

const textsOf = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);

test("every node and edge is drawn, labels and dashes too", () => {
  const graph = builder()
    .addNode("agent", step)
    .addNode("tools", step)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", () => END, { call: "tools", stop: END, again: "agent" })
    .addEdge("tools", "agent")
    .compile();
  const svg = drawSvg(graph.getGraph(), { title: "An agent" });
  const { path, rect } = elements(svg);
  assert.equal(path.length - 1, 5);
  assert.equal(path.filter((attributes) => attributes.includes("stroke-dasharray")).length, 3);
  assert.equal(rect.length - 1, 4);
  assert.deepEqual(
    textsOf(svg).sort(),
    [START, "agent", "tools", END, "call", "stop", "again"].sort(),
  );
  assert.match(svg, /<title>An agent<\/title>/);
});

test("opened subgraphs stand in boxes", () => {
  const inner = builder()
    .addNode("x", step)
    .addNode("y", step)
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile();
  const graph = builder().addNode("sub", inner).addEdge(START, "sub").compile();
  assert.match(drawSvg(graph.getGraph({ xray: true })), /<title>sub<\/title>/);
  assert.doesNotMatch(drawSvg(graph.getGraph()), /<title>sub<\/title>/);
});

test("names, notes and colors are never markup", () => {
  const evil = '"><script>alert(1)</script>&\u0001';
  const graph = builder()
    .addNode(evil, step, { metadata: { [evil]: `${evil}\ud800` } })
    .addEdge(START, evil)
    .addConditionalEdges(evil, () => END, { [evil]: END })
    .compile();
  const svg = drawSvg(graph.getGraph(), { title: evil, colors: { node: evil } });
  const { script } = elements(svg);
  assert.equal(script, undefined);
  assert.doesNotMatch(svg, /\u0001|\p{Surrogate}/u);
});

test("circles, long graphs and empty ones end, and no two nodes overlap", () => {
  const nodes = {};
  const edges = [];
  for (let i = 0; i < 60; i++) {
    nodes[`n${i}`] = { id: `n${i}`, name: `n${i}`, data: {} };
    for (const step of [1, 7, 13]) edges.push({ source: `n${i}`, target: `n${(i + step) % 60}` });
  }
  const { rect } = elements(drawSvg({ nodes, edges }));
  const places = rect
    .slice(1)
    .map((attributes) =>
      ["x", "y", "width"].map((name) =>
        Number(new RegExp(` ${name}="([^"]*)"`).exec(attributes)[1]),
      ),
    );
  for (const [i, [x, y, width]] of places.entries()) {
    for (const [otherX, otherY, otherWidth] of places.slice(i + 1))
      assert.ok(y !== otherY || x + width < otherX || otherX + otherWidth < x);
  }
  elements(drawSvg({ nodes: {}, edges: [] }));
});

test("where nodes, edges and graphs inside stand is told without drawing", () => {
  const State = Annotation.Root({ a: Annotation });
  const inner = new StateGraph(State)
    .addNode("deep", () => ({}))
    .addNode("deeper", () => ({}))
    .addEdge(START, "deep")
    .addEdge("deep", "deeper")
    .compile();
  const graph = new StateGraph(State)
    .addNode("inner", inner)
    .addNode("last", () => ({}))
    .addEdge(START, "inner")
    .addConditionalEdges("inner", () => "last", { go: "last", stop: END })
    .compile();
  const drawn = graph.getGraph({ xray: true });
  const { view, nodes, edges, boxes } = layoutGraph(drawn);
  assert.deepEqual(
    nodes.map(({ id, label }) => [id, label]),
    Object.keys(drawn.nodes).map((id) => [id, id.slice(id.lastIndexOf(":") + 1)]),
  );
  for (const { x, y, width, height } of [...nodes, ...boxes]) {
    assert.ok(x >= view.x && x + width <= view.x + view.width);
    assert.ok(y >= view.y && y + height <= view.y + view.height);
  }
  assert.deepEqual(
    boxes.map(({ id }) => id),
    ["inner"],
  );
  assert.equal(edges.length, drawn.edges.length);
  for (const { path } of edges) assert.match(path, /^M[-\d.]+ [-\d.]+(C[-\d. ]+)+$/);
  assert.ok(edges.some(({ conditional, data }) => conditional && data === "go"));
  // The form in which an Agent Server answers.
  const { nodes: listed, edges: told } = drawn.toJSON();
  assert.deepEqual(layoutGraph({ nodes: listed, edges: told }).nodes, nodes);
  for (const wrong of [undefined, {}, { nodes: [{}], edges: [] }, { nodes: [], edges: [{}] }])
    assert.throws(() => layoutGraph(wrong), { code: "BAD_ARGUMENT" });
});
