// SPDX-License-Identifier: MIT
// Exports the public name of `weftgraph/svg`: draws a graph as an SVG without network, scripts or
// style sheets.
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { layOut } from "./layers.js";

/** @typedef {import("../runnable/drawable.js").DrawnNode} DrawnNode */
/** @typedef {import("../runnable/drawable.js").DrawnEdge} DrawnEdge */
/** @typedef {import("./layers.js").Spot} Spot */
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
 * Draws a graph.
 * @param {{ nodes: Record<string, DrawnNode>, edges: DrawnEdge[], firstNode?: () => DrawnNode |
 *   undefined, lastNode?: () => DrawnNode | undefined }} graph
 * @param {SvgOptions} [options]
 * @returns {string}
 */
export function drawSvg(graph, options) {
  checkArgument(
    isObject(graph?.nodes) &&
      isListOf(
        graph.edges,
        (edge) =>
          Object.hasOwn(graph.nodes, edge?.source) && Object.hasOwn(graph.nodes, edge.target),
      ),
    NOT_DRAWN,
  );
  checkArgument(
    Object.values(graph.nodes).every((node) => typeof node?.name === "string"),
    NOT_DRAWN,
  );
  const { title = "Graph", colors } = options ?? {};
  const nodes = Object.values(graph.nodes).map((node) => ({
    ...node,
    label: labelOf(node.name),
    width: Math.max(60, labelOf(node.name).length * LETTER + 28),
  }));
  const { rows, spots, ways } = layOut(nodes, graph.edges, GAP);
  const spotList = rows.flat();
  const left = Math.min(0, ...spotList.map(({ x, width }) => x - width / 2)) - EDGE;
  const right =
    Math.max(0, ...spotList.map(({ x, width }) => x + width / 2)) + EDGE + loopRoom(graph.edges);
  const paint = { ...COLORS, ...colors };
  const [width, height] = [round(right - left), rows.length * ROW - ROW + HEIGHT + 2 * EDGE];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${round(left)} ${-EDGE - HEIGHT / 2} ${width} ${height}" font-family="sans-serif" font-size="14" role="img">`,
    `<title>${escape(title)}</title>`,
    `<defs><marker id="weft-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="${escape(paint.line)}"/></marker></defs>`,
    `<rect x="${round(left)}" y="${-EDGE - HEIGHT / 2}" width="${width}" height="${height}" fill="${escape(paint.background)}"/>`,
    ...drawBoxes(
      nodes.map(({ id }) => id),
      spots,
      paint,
    ),
    ...graph.edges.map((edge, index) => drawEdge(edge, ways[index], paint)),
    ...nodes.map((node) =>
      drawNode(
        node,
        /** @type {Spot} */ (spots.get(node.id)),
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

/** Returns the width needed for edges from a node to itself. @param {DrawnEdge[]} edges */
function loopRoom(edges) {
  return edges.some(({ source, target }) => source === target) ? ROW : 0;
}

/**
 * @param {{ label: string, width: number, metadata: Record<string, unknown> | undefined }} node
 * @param {Spot} spot
 * @param {string} fill
 * @param {typeof COLORS} paint
 */
function drawNode({ label, width, metadata }, { x, row }, fill, paint) {
  const notes = Object.entries(metadata ?? {})
    .map(([key, value]) => `${key} = ${value}`)
    .join("\n");
  const rect = `<rect x="${round(x - width / 2)}" y="${row * ROW - HEIGHT / 2}" width="${round(width)}" height="${HEIGHT}" rx="8" fill="${escape(fill)}" stroke="${escape(paint.line)}"/>`;
  const text = `<text x="${round(x)}" y="${row * ROW + 5}" text-anchor="middle" fill="${escape(paint.text)}">${escape(label)}</text>`;
  return `<g>${notes === "" ? "" : `<title>${escape(notes)}</title>`}${rect}${text}</g>`;
}

/** @param {DrawnEdge} edge @param {Spot[]} way @param {typeof COLORS} paint */
function drawEdge({ source, target, data, conditional }, way, paint) {
  const points = source === target ? loopPoints(way[0]) : wayPoints(way);
  const path = points.map(([x, y], index) => {
    if (index === 0) return `M${round(x)} ${round(y)}`;
    const [fromX, fromY] = points[index - 1];
    const middle = (fromY + y) / 2;
    return `C${round(fromX)} ${round(middle)} ${round(x)} ${round(middle)} ${round(x)} ${round(y)}`;
  });
  const line = `<path d="${path.join("")}" fill="none" stroke="${escape(paint.line)}"${conditional ? ' stroke-dasharray="5 4"' : ""} marker-end="url(#weft-arrow)"/>`;
  if (data === undefined) return line;
  const [x, y, anchor] = labelPlace(points, source === target);
  const text = `<text x="${round(x)}" y="${round(y + 4)}" text-anchor="${anchor}" font-size="12" fill="${escape(paint.text)}" stroke="white" stroke-width="4" paint-order="stroke">${escape(data)}</text>`;
  return line + text;
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
 * Draws a box around each subgraph.
 * @param {string[]} ids
 * @param {Map<string, Spot>} spots
 * @param {typeof COLORS} paint
 */
function drawBoxes(ids, spots, paint) {
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
    .map((place) => {
      const inside = ids
        .filter((id) => id.startsWith(`${place}:`))
        .map((id) => /** @type {Spot} */ (spots.get(id)));
      const room = 20 - 4 * place.split(":").length;
      const left = Math.min(...inside.map(({ x, width }) => x - width / 2)) - room;
      const right = Math.max(...inside.map(({ x, width }) => x + width / 2)) + room;
      const [top, bottom] = [
        Math.min(...inside.map(({ row }) => row)),
        Math.max(...inside.map(({ row }) => row)),
      ].map((row) => row * ROW);
      return `<g><title>${escape(place)}</title><rect x="${round(left)}" y="${top - HEIGHT / 2 - room}" width="${round(right - left)}" height="${bottom - top + HEIGHT + 2 * room}" rx="12" fill="${escape(paint.box)}" stroke="${escape(paint.line)}" stroke-opacity="0.3"/></g>`;
    });
}
