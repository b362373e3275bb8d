// SPDX-License-Identifier: MIT
// Makes the Mermaid text of a drawn graph. Does not depend on where graphs come from.
import { checkArgument, hasText } from "../base/check-arguments.js";

/** @typedef {import("./drawable.js").DrawnNode} DrawnNode */
/** @typedef {import("./drawable.js").DrawnEdge} DrawnEdge */
/**
 * @typedef {{ withStyles?: boolean, curveStyle?: string, nodeColors?: Record<string, string> |
 *   null, wrapLabelNWords?: number }} MermaidOptions
 */

const COLORS = {
  default: "fill:#f2f0ff,line-height:1.2",
  first: "fill-opacity:0",
  last: "fill:#bfb6fc",
};
/** Matches names that begin and end with characters that Mermaid would read as markup. */
const MARKED = /^[*_`].*[*_`]$/s;

/**
 * @param {Record<string, DrawnNode>} nodes
 * @param {DrawnEdge[]} edges
 * @param {string | undefined} first
 * @param {string | undefined} last
 * @param {MermaidOptions | null} [options]
 * @returns {string}
 */
export function drawMermaid(nodes, edges, first, last, options) {
  const {
    withStyles = true,
    curveStyle = "linear",
    nodeColors = COLORS,
    wrapLabelNWords = 9,
  } = options ?? {};
  checkArgument(hasText(curveStyle), "drawMermaid(options): options.curveStyle must be a text");
  const lines = withStyles
    ? [`%%{init: {'flowchart': {'curve': '${curveStyle}'}}}%%`, "graph TD;"]
    : ["graph TD;"];
  if (withStyles)
    for (const node of Object.values(nodes)) lines.push(`\t${drawNode(node, first, last)}`);
  drawEdges(lines, edges, wrapLabelNWords);
  if (withStyles)
    for (const [name, style] of Object.entries(nodeColors ?? {}))
      lines.push(`\tclassDef ${name} ${style};`);
  return `${lines.join("\n")}\n`;
}

/** @param {string} id */
function slug(id) {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** @param {string} id @returns {string} its last part */
function lastOf(id) {
  return id.slice(id.lastIndexOf(":") + 1);
}

/**
 * @param {unknown} value of a node's metadata
 * @returns {boolean} is it a text, a number, a boolean or a list? Only those are drawn
 */
function isShown(value) {
  return ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value);
}

/** @param {DrawnNode} node @param {string | undefined} first @param {string | undefined} last */
function drawNode({ id, name, metadata }, first, last) {
  const label = lastOf(name);
  const shown = MARKED.test(label) ? `<p>${label}</p>` : label;
  const notes = Object.entries(metadata ?? {}).flatMap(([key, value]) =>
    isShown(value) ? [`${key} = ${value}`] : [],
  );
  const text =
    notes.length === 0 ? shown : `${shown}<hr/><small><em>${notes.join("\n")}</em></small>`;
  const end = id === last ? "last" : id === first && "first";
  return slug(id) + (end ? `([${text}]):::${end}` : `(${text})`);
}

/** @param {DrawnEdge} edge @param {number} wrap words on a line of a label */
function drawEdge({ source, target, data, conditional }, wrap) {
  const words = data?.split(" ");
  const rows =
    words &&
    (words.length > wrap
      ? Array.from({ length: Math.ceil(words.length / wrap) }, (_, at) =>
          words.slice(at * wrap, (at + 1) * wrap).join(" "),
        )
      : [data]);
  const [line, arrow] = conditional ? ["-.", ".->"] : ["--", "-->"];
  const link = rows
    ? `${line} &nbsp;${rows.join("&nbsp;<br>&nbsp;")}&nbsp; ${arrow}`
    : conditional
      ? "-.->"
      : arrow;
  return `\t${slug(source)} ${link} ${slug(target)};`;
}

/**
 * Draws each edge in the box of the innermost graph with both ends; the parts of an id name the
 * graphs that contain the node.
 * @param {string[]} lines
 * @param {DrawnEdge[]} edges
 * @param {number} wrap
 */
function drawEdges(lines, edges, wrap) {
  /** @type {Map<string, DrawnEdge[]>} */
  const groups = new Map();
  for (const edge of edges) {
    const target = edge.target.split(":");
    const place = edge.source
      .split(":")
      .filter((part, index) => part === target[index])
      .join(":");
    groups.set(place, [...(groups.get(place) ?? []), edge]);
  }
  /** @type {(place: string) => void} */
  const drawBox = (place) => {
    const inside = groups.get(place) ?? [];
    const isBox = place !== "" && !(inside.length === 1 && inside[0].source === inside[0].target);
    if (isBox) lines.push(`\tsubgraph ${lastOf(place)}`);
    if (place !== "") drawInside(`${place}:`);
    for (const edge of inside) lines.push(drawEdge(edge, wrap));
    if (isBox) lines.push("\tend");
  };
  /** @type {(around: string) => void} */
  const drawInside = (around) => {
    for (const place of groups.keys())
      if (place !== "" && around + lastOf(place) === place) drawBox(place);
  };
  drawBox("");
  drawInside("");
}

/** @param {string} text @param {string | null} [background] @returns {Promise<Blob>} */
export async function fetchMermaidPng(text, background) {
  const code = btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const color = `${background ?? "white"}`.replace(/^(?!#([\da-f]{3}){1,2}$)/i, "!");
  const response = await fetch(`https://mermaid.ink/img/${code}?bgColor=${color}&type=png`);
  if (!response.ok)
    throw new Error(
      `Failed to render the graph using the Mermaid.INK API.\nStatus code: ${response.status}\nStatus text: ${response.statusText}`,
    );
  return response.blob();
}
