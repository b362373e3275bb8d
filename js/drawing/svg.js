// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/svg`: draws a graph as an SVG without network, scripts or
// style sheets, or says where its parts stand.
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { layOut } from "./layers.js";

/** @typedef {import("../runnable/drawable.js").DrawnNode} DrawnNode */
/** @typedef {import("../runnable/drawable.js").DrawnEdge} DrawnEdge */
/** @typedef {import("./layers.js").Spot} Spot */
/**
 * @typedef {{ nodes: Record<string, { id: string, name: string }> | { id: string }[], edges:
 *   (import("./layers.js").Edge & { data?: string, conditional?: boolean })[] }} Laid
 */
/** @typedef {{ title?: string, colors?: Partial<typeof COLORS> }} SvgOptions */

const COLORS = {
  node: "#f2f0ff",
  first: "none",
  last: "#bfb6fc",
  line: "#333333",
  text: "#333333",
  box: "#fafafa",
  background: "none",
};
const HEIGHT = 36;
const LETTER = 8.5;
const ROW = 84;
const GAP = 32;
const EDGE = 24;
const NOT_LAID =
  "layoutGraph(graph): graph must be a drawn graph, as app.getGraph() or an Agent Server gives it";
const NOT_DRAWN = "drawSvg(graph): graph must be a drawn graph, as app.getGraph()";

/** @param {unknown} text */
function escape(text) {
  checkArgument(
    typeof text === "string",
    "drawSvg(graph, options): the title and the colors must be texts",
  );
  const plain = String(text).replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu,
    "\ufffd",
  );
  return plain.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** @param {string} id */
function labelOf(id) {
  return id.slice(id.lastIndexOf(":") + 1);
}

/**
 * Computes where the nodes and edges of a graph stand.
 * @param {Laid} graph
 * @returns {{ view: { x: number, y: number, width: number, height: number }, nodes: { id: string,
 *   label: string, x: number, y: number, width: number, height: number }[], edges: { source:
 *   string, target: string, data?: string, conditional: boolean, path: string, label: { x: number,
 *   y: number, anchor: string } }[], boxes: { id: string, x: number, y: number, width: number,
 *   height: number }[] }}
 */
export function layoutGraph(graph) {
  const given = graph?.nodes;
  checkArgument(
    !Array.isArray(given) || isListOf(given, (node) => typeof node?.id === "string"),
    NOT_LAID,
  );
  const nodes = Array.isArray(given)
    ? Object.fromEntries(given.map(({ id }) => [id, { id, name: id }]))
    : given;
  checkGraph(nodes, graph?.edges, NOT_LAID);
  const drawn = Object.values(nodes).map(({ id, name }) => ({ id, label: labelOf(name) }));
  return place(drawn, graph.edges);
}

/**
 * @param {Record<string, { name: string }>} nodes
 * @param {readonly import("./layers.js").Edge[]} edges
 * @param {string} problem
 */
function checkGraph(nodes, edges, problem) {
  checkArgument(
    isObject(nodes) &&
      isListOf(
        edges,
        (edge) => Object.hasOwn(nodes, edge?.source) && Object.hasOwn(nodes, edge.target),
      ) &&
      Object.values(nodes).every((node) => typeof node?.name === "string"),
    problem,
  );
}

/**
 * @param {{ id: string, label: string }[]} named
 * @param {(import("./layers.js").Edge & { data?: string, conditional?: boolean })[]} edges
 */
function place(named, edges) {
  const sized = named.map((node) => ({
    ...node,
    width: Math.max(60, node.label.length * LETTER + 28),
  }));
  const { rows, spots, ways } = layOut(sized, edges, GAP);
  const spotList = rows.flat();
  const left = Math.min(0, ...spotList.map(({ x, width }) => x - width / 2)) - EDGE;
  const right =
    Math.max(0, ...spotList.map(({ x, width }) => x + width / 2)) + EDGE + loopRoom(edges);
  const height = rows.length * ROW - ROW + HEIGHT + 2 * EDGE;
  return {
    view: {
      x: round(left),
      y: -EDGE - HEIGHT / 2,
      width: round(right - left),
      height,
    },
    nodes: sized.map(({ id, label, width }) => {
      const { x, row } = /** @type {Spot} */ (spots.get(id));
      return {
        id,
        label,
        x: round(x - width / 2),
        y: row * ROW - HEIGHT / 2,
        width: round(width),
        height: HEIGHT,
      };
    }),
    edges: edges.map(({ source, target, data, conditional = false }, index) => {
      const points = source === target ? loopPoints(ways[index][0]) : wayPoints(ways[index]);
      const [x, y, anchor] = labelPlace(points, source === target);
      return {
        source,
        target,
        ...(data === undefined ? undefined : { data }),
        conditional,
        path: pathOf(points),
        label: { x: round(x), y: round(y), anchor },
      };
    }),
    boxes: boxesOf(
      named.map(({ id }) => id),
      spots,
    ),
  };
}

/**
 * Draws a graph.
 * @param {{ nodes: Record<string, DrawnNode>, edges: DrawnEdge[], firstNode?: () => DrawnNode |
 *   undefined, lastNode?: () => DrawnNode | undefined }} graph
 * @param {SvgOptions} [options]
 * @returns {string}
 */
export function drawSvg(graph, options) {
  checkGraph(graph?.nodes, graph?.edges, NOT_DRAWN);
  const { title = "Graph", colors } = options ?? {};
  const drawn = Object.values(graph.nodes);
  const { view, nodes, edges, boxes } = place(
    drawn.map(({ id, name }) => ({ id, label: labelOf(name) })),
    graph.edges,
  );
  const { x, y, width, height } = view;
  const paint = { ...COLORS, ...colors };
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" font-family="sans-serif" font-size="14" role="img">`,
    `<title>${escape(title)}</title>`,
    `<defs><marker id="weft-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="${escape(paint.line)}"/></marker></defs>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${escape(paint.background)}"/>`,
    ...boxes.map(
      (box) =>
        `<g><title>${escape(box.id)}</title><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="12" fill="${escape(paint.box)}" stroke="${escape(paint.line)}" stroke-opacity="0.3"/></g>`,
    ),
    ...edges.map((edge) => drawEdge(edge, paint)),
    ...nodes.map((node, at) =>
      drawNode(
        node,
        drawn[at].metadata,
        node.id === graph.firstNode?.()?.id
          ? paint.first
          : node.id === graph.lastNode?.()?.id
            ? paint.last
            : paint.node,
        paint,
      ),
    ),
    "</svg>",
  ];
  return parts.join("\n");
}

/**
 * Returns the width needed for edges from a node to itself.
 * @param {import("./layers.js").Edge[]} edges
 */
function loopRoom(edges) {
  return edges.some(({ source, target }) => source === target) ? ROW : 0;
}

/**
 * @param {ReturnType<typeof place>["nodes"][number]} node
 * @param {Record<string, unknown> | undefined} metadata
 * @param {string} fill
 * @param {typeof COLORS} paint
 */
function drawNode({ label, x, y, width, height }, metadata, fill, paint) {
  const notes = Object.entries(metadata ?? {})
    .map(([key, value]) => `${key} = ${value}`)
    .join("\n");
  const rect = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${escape(fill)}" stroke="${escape(paint.line)}"/>`;
  const text = `<text x="${round(x + width / 2)}" y="${y + height / 2 + 5}" text-anchor="middle" fill="${escape(paint.text)}">${escape(label)}</text>`;
  return `<g>${notes === "" ? "" : `<title>${escape(notes)}</title>`}${rect}${text}</g>`;
}

/** @param {ReturnType<typeof place>["edges"][number]} edge @param {typeof COLORS} paint */
function drawEdge({ data, conditional, path, label: { x, y, anchor } }, paint) {
  const line = `<path d="${path}" fill="none" stroke="${escape(paint.line)}"${conditional ? ' stroke-dasharray="5 4"' : ""} marker-end="url(#weft-arrow)"/>`;
  if (data === undefined) return line;
  const text = `<text x="${x}" y="${round(y + 4)}" text-anchor="${anchor}" font-size="12" fill="${escape(paint.text)}" stroke="white" stroke-width="4" paint-order="stroke">${escape(data)}</text>`;
  return line + text;
}

/** @param {number[][]} points @returns {string} the path of an SVG through them */
function pathOf(points) {
  return points
    .map(([x, y], index) => {
      if (index === 0) return `M${round(x)} ${round(y)}`;
      const [fromX, fromY] = points[index - 1];
      const middle = (fromY + y) / 2;
      return `C${round(fromX)} ${round(middle)} ${round(x)} ${round(middle)} ${round(x)} ${round(y)}`;
    })
    .join("");
}

/**
 * @param {number[][]} points
 * @param {boolean} isLoop
 * @returns {[x: number, y: number, anchor: string]}
 */
function labelPlace(points, isLoop) {
  if (isLoop) return [points[1][0] + 4, points[1][1], "start"];
  const [first, second] =
    points.length === 2 ? points : points.slice(Math.floor(points.length / 2) - 1);
  return [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2, "middle"];
}

/**
 * Returns the points of an edge; upward edges are shifted beside downward ones.
 * @param {Spot[]} way
 * @returns {number[][]}
 */
function wayPoints(way) {
  const last = way.length - 1;
  const down = way[0].row < way[last].row ? 1 : -1;
  const aside = down === 1 ? 0 : 14;
  return way.map(({ x, row }, index) => [
    x + aside,
    row * ROW + (index === 0 ? (down * HEIGHT) / 2 : index === last ? (-down * HEIGHT) / 2 : 0),
  ]);
}

/** @param {Spot} spot @returns {number[][]} */
function loopPoints({ x, row, width }) {
  const side = x + width / 2;
  return [
    [side - 12, row * ROW + HEIGHT / 2],
    [side + 24, row * ROW],
    [side - 12, row * ROW - HEIGHT / 2],
  ];
}

/**
 * Places a box around each subgraph, the outer ones first.
 * @param {string[]} ids
 * @param {Map<string, Spot>} spots
 */
function boxesOf(ids, spots) {
  const places = new Set(
    ids.flatMap((id) =>
      id
        .split(":")
        .slice(0, -1)
        .map((_, index, parts) => parts.slice(0, index + 1).join(":")),
    ),
  );
  return [...places]
    .sort((one, other) => one.length - other.length)
    .map((id) => {
      const inside = ids
        .filter((node) => node.startsWith(`${id}:`))
        .map((node) => /** @type {Spot} */ (spots.get(node)));
      const room = 20 - 4 * id.split(":").length;
      const left = Math.min(...inside.map(({ x, width }) => x - width / 2)) - room;
      const right = Math.max(...inside.map(({ x, width }) => x + width / 2)) + room;
      const [top, bottom] = [
        Math.min(...inside.map(({ row }) => row)),
        Math.max(...inside.map(({ row }) => row)),
      ].map((row) => row * ROW);
      return {
        id,
        x: round(left),
        y: top - HEIGHT / 2 - room,
        width: round(right - left),
        height: bottom - top + HEIGHT + 2 * room,
      };
    });
}
