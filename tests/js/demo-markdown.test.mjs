// SPDX-License-Identifier: MIT
// What reads Markdown is loaded with the first text that needs it: no other text is changed by it.
import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { Lexer } from "marked";
import { markdownView } from "../../web-demo/src/studio/talk/markdown-view.js";

/** Whether a text is shown at once, as sentences. @param {string} text */
const isSentences = (text) => markdownView(text, () => {}).strings?.[0] === '<p dir="auto">';
const pieces = [
  ..." aZé7.,;:!?'\"()%-",
  ..."*_`#[]>~|\\<&@/\n\t",
  "www.",
  "WWW.a.b",
  "http:",
  "1. ",
  "- ",
  "    ",
];

test("sentences wait for nothing", () => {
  for (const text of ["Done.", "It's 3% (of 7), isn't it?", "¿Qué?", "Wait - what: a; b!"])
    assert.equal(isSentences(text), /^\p{L}/u.test(text), text);
});

test("Markdown would show what waits for nothing as it is written", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = `a${parts.join("")}`;
      if (!isSentences(text)) return;
      const [paragraph, ...others] = Lexer.lex(text, { gfm: true, breaks: true });
      assert.deepEqual(others, [], text);
      assert.equal(paragraph.type, "paragraph", text);
      assert.ok(paragraph.tokens.every(({ type }) => type === "text"));
      const shown = paragraph.tokens.map((token) => token.text).join("");
      assert.equal(shown.trimEnd(), text.trimEnd());
    }),
    { numRuns: 3000 },
  );
});
