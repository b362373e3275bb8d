// SPDX-License-Identifier: MIT
// Shows a model's Markdown. What it says is only ever text between the elements made here: no HTML,
// no pictures, links to web and mail addresses only. Must not know: whose text it is.
import { html, nothing } from "lit-html";
import { until } from "lit-html/directives/until.js";
import { plain, prose, spelled } from "../text.js";
import { icon } from "../icons.js";

/** @typedef {import("marked").Token} Token */
/** @typedef {(event: Event, text: string) => void} Copy */

/** Characters beyond which a text is shown as it is. */
const LONG = 100_000;
/** Quotes and lists inside each other that are followed. */
const DEEP = 24;
/** A line that begins so many quotes at once is no prose; reading it takes quadratic time. */
const NESTED = new RegExp(`^(?:[ \\t]*(?:>|[-*+][ \\t]|\\d{1,9}[.)][ \\t])){${DEEP}}`, "m");
/** A text that Markdown shows as it is written: nothing has to be loaded for it. */
const SENTENCES = /^(?!.*www\.)\p{L}[\p{L}\p{M}\p{N} ,.;:!?'"()%-]*$/iu;
const ENTITIES = /** @type {Record<string, string>} */ ({
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
});

/** A fifth of the bytes of <weft-studio>: loaded with the first text that needs it. */
let Lexer = /** @type {typeof import("marked").Lexer | undefined} */ (undefined);
const load = async () => {
  ({ Lexer } = await import("./lexer.js"));
};

/** @param {string} text @param {Copy} copy @returns {unknown} */
export function markdownView(text, copy) {
  if (text.length > LONG || NESTED.test(text)) return asItIs(text);
  if (SENTENCES.test(text)) return html`<p dir="auto">${prose(text)}</p>`;
  if (Lexer === undefined) {
    const view = load().then(
      () => markdownView(text, copy),
      () => asItIs(text),
    );
    return until(view, asItIs(text));
  }
  let tokens;
  try {
    tokens = Lexer.lex(text, { gfm: true, breaks: true });
  } catch {
    return asItIs(text);
  }
  return blocks(tokens, copy, 0);
}

/** @param {string} text */
const asItIs = (text) => html`<p class="raw" dir="auto">${plain(text, LONG)}</p>`;

/** @param {Token[]} tokens @param {Copy} copy @param {number} depth @returns {unknown} */
const blocks = (tokens, copy, depth) => tokens.map((token) => block(token, copy, depth));

/** @param {any} token @param {Copy} copy @param {number} depth */
function block(token, copy, depth) {
  if (depth > DEEP) return asItIs(token.raw);
  switch (token.type) {
    case "space":
    case "def":
      return nothing;
    case "heading":
      return heading(token.depth, line(token.tokens, depth));
    case "code":
      return codeBlock(token, copy);
    case "blockquote":
      return html`<blockquote dir="auto">${blocks(token.tokens, copy, depth + 1)}</blockquote>`;
    case "list":
      return list(token, copy, depth);
    case "table":
      return table(token, depth);
    case "hr":
      return html`<hr>`;
    case "paragraph":
      return html`<p dir="auto">${line(token.tokens, depth)}</p>`;
    case "text":
      return token.tokens ? line(token.tokens, depth) : words(token.text);
    case "checkbox":
      return nothing;
    default:
      return html`<p dir="auto">${prose(token.raw)}</p>`;
  }
}

/**
 * The page's own headings stay above those of a model.
 * @param {number} depth
 * @param {unknown} inner
 */
function heading(depth, inner) {
  if (depth === 1) return html`<h3 dir="auto">${inner}</h3>`;
  if (depth === 2) return html`<h4 dir="auto">${inner}</h4>`;
  if (depth === 3) return html`<h5 dir="auto">${inner}</h5>`;
  return html`<h6 dir="auto">${inner}</h6>`;
}

/** @param {{ text: string, lang?: string }} code @param {Copy} copy */
function codeBlock({ text, lang = "" }, copy) {
  return html`<figure class="code-block"><figcaption><span>${plain(lang, 40)}</span><button type="button" class="small" data-do="copy-code" @click=${(/** @type {Event} */ event) => copy(event, text)}>${icon("copy")}<span>Copy</span></button></figcaption>
    <pre tabindex="0"><code>${plain(text, LONG)}</code></pre></figure>`;
}

/** @param {any} token @param {Copy} copy @param {number} depth */
function list({ ordered, start, items, loose }, copy, depth) {
  const inner = items.map(
    (/** @type {any} */ item) =>
      html`<li dir="auto">${item.task ? html`<span class="task" role="img" aria-label=${item.checked ? "done" : "open"}>${item.checked ? "☑" : "☐"}</span> ` : nothing}${blocks(item.tokens, copy, depth + 1)}</li>`,
  );
  return ordered
    ? html`<ol class=${loose ? "loose" : ""} start=${Number(start) || 1}>${inner}</ol>`
    : html`<ul class=${loose ? "loose" : ""}>${inner}</ul>`;
}

/** @param {any} token @param {number} depth */
function table({ header, rows }, depth) {
  const side = (/** @type {any} */ { align }) => (align === null ? nothing : align);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
    <thead><tr>${header.map((/** @type {any} */ cell) => html`<th dir="auto" data-align=${side(cell)}>${line(cell.tokens, depth)}</th>`)}</tr></thead>
    <tbody>${rows.map((/** @type {any[]} */ row) => html`<tr>${row.map((cell) => html`<td dir="auto" data-align=${side(cell)}>${line(cell.tokens, depth)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** @param {any[]} tokens within a line @param {number} depth @returns {unknown} */
function line(tokens, depth) {
  if (depth > DEEP) return tokens.map(({ raw }) => prose(raw));
  return tokens.map((token) => {
    const inner = () => line(token.tokens ?? [], depth + 1);
    switch (token.type) {
      case "strong":
        return html`<strong>${inner()}</strong>`;
      case "em":
        return html`<em>${inner()}</em>`;
      case "del":
        return html`<del>${inner()}</del>`;
      case "codespan":
        return html`<code>${plain(token.text)}</code>`;
      case "br":
        return html`<br>`;
      case "link":
        return link(token.href, inner());
      case "image":
        return prose(token.text);
      case "text":
        return token.tokens ? inner() : words(token.text);
      case "escape":
        return prose(token.text);
      case "checkbox":
        return nothing;
      default:
        return prose(token.raw);
    }
  });
}

/** @param {string} href @param {unknown} inner */
function link(href, inner) {
  const to = URL.canParse(href) ? new URL(href) : undefined;
  if (to === undefined || !["https:", "http:", "mailto:"].includes(to.protocol)) return inner;
  return html`<a href=${to.href} title=${spelled(to.href)} target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`;
}

/** @param {string} text of Markdown, where signs may be written as HTML does */
const words = (text) =>
  prose(text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name) => ENTITIES[name]));
