// SPDX-License-Identifier: MIT
// Knows: how a model's Markdown becomes a safe piece of page: no images, no styles, no forms; links
// open elsewhere. Must not know: conversations.
import createDOMPurify from "dompurify";
import { Marked } from "marked";

const ALLOWED = [
  "p",
  "br",
  "strong",
  "em",
  "del",
  "code",
  "pre",
  "ul",
  "ol",
  "li",
  "blockquote",
  "a",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
];

// HTML in a model's answer is shown, not obeyed; of an image only its words are.
const markdown = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
  },
});

/** @param {string} text */
function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** @type {ReturnType<typeof createDOMPurify> | undefined} */
let purifier;

function getPurifier() {
  if (purifier) return purifier;
  purifier = createDOMPurify(window);
  purifier.addHook("afterSanitizeAttributes", (node) => {
    if (node.tagName === "A") {
      node.setAttribute("target", "_blank");
      node.setAttribute("rel", "noopener noreferrer nofollow");
    }
  });
  return purifier;
}

/** @param {string} text @returns {DocumentFragment} */
export function renderMarkdown(text) {
  const dirty = /** @type {string} */ (markdown.parse(text));
  return getPurifier().sanitize(dirty, {
    ALLOWED_TAGS: ALLOWED,
    ALLOWED_ATTR: ["href", "start", "align"],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });
}
