// SPDX-License-Identifier: MIT
// Builds the SVG files of docs/pictures: boxes, texts, arrows. Output depends on nothing but its
// arguments.

/** Characters that XML reserves. @param {unknown} text */
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Attributes with at most one decimal place. @param {Record<string, string | number>} pairs */
const attributes = (pairs) =>
  Object.entries(pairs)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === "number" ? Math.round(value * 10) / 10 : escaped(value)}"`,
    )
    .join("");

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {Record<string, string | number>} [more]
 */
export const label = (x, y, text, more = {}) =>
  `<text${attributes({ x, y, ...more })}>${escaped(text)}</text>`;

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {Record<string, string | number>} [more]
 */
export const box = (x, y, width, height, more = {}) =>
  `<rect${attributes({ x, y, width, height, rx: 4, ...more })}/>`;

/**
 * A horizontal arrow.
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @param {string} color
 */
export function arrow(from, to, y, color) {
  const back = to > from ? -7 : 7;
  return `<path${attributes({ d: `M${from} ${y}H${to}m${back} -4L${to} ${y}l${back} 4`, stroke: color, fill: "none", "stroke-width": 1.5 })}/>`;
}

/** @param {number} x @param {number} y @param {number} height @param {string} color */
export const line = (x, y, height, color) =>
  `<path${attributes({ d: `M${x} ${y}v${height}`, stroke: color, "stroke-width": 1 })}/>`;

/**
 * A whole picture.
 * @param {number} width
 * @param {number} height
 * @param {string} title for readers who do not see it
 * @param {string[]} parts
 */
export function picture(width, height, title, parts) {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1f2328" role="img">`;
  return `${[head, `<title>${escaped(title)}</title>`, box(0, 0, width, height, { fill: "#ffffff", stroke: "#d0d7de" }), ...parts].join("\n")}\n</svg>\n`;
}
