// SPDX-License-Identifier: MIT
// A plugin of markdown-it: programs of the documents become examples that run in the page, with
// what they print; indented code is highlighted, pictures say their size.
import { readFileSync } from "node:fs";

const PROGRAM = /^ts( page)?$/;
/** Pages whose programs a test runs. */
const RUNS = /^(overview|index|guides\/.*|reference\/.*)\.md$/;

/** @param {string} text of indented code @returns {string} its language */
function languageOf(text) {
  if (/^\s*[{[]/.test(text)) return "json";
  if (/^(make|npm|npx|git|node|deno|bun|docker|cd|curl|pip)\b/.test(text)) return "sh";
  if (/^\s*(import|export|const|let|await|new|\/\/|storeContract|Annotation|\w+\()/.test(text))
    return "ts";
  return "txt";
}

/**
 * @param {import("markdown-it").default} md
 * @param {{ pictures: (address: string) => string | undefined }} options path of a picture's file
 */
export function examples(md, { pictures }) {
  md.core.ruler.push("examples", (state) => {
    const isRunPage = RUNS.test(state.env.relativePath ?? "");
    const html = (content) => Object.assign(new state.Token("html_block", "", 0), { content });
    const tokens = [];
    let count = 0;
    for (let at = 0; at < state.tokens.length; at++) {
      const token = state.tokens[at];
      // A cell that heads nothing is no heading.
      if (token.type === "th_open" && state.tokens[at + 1].content === "")
        token.tag = state.tokens[at + 2].tag = "td";
      if (token.type === "code_block") {
        Object.assign(token, {
          type: "fence",
          tag: "code",
          info: languageOf(token.content),
          markup: "```",
        });
        tokens.push(token);
        continue;
      }
      const found = token.type === "fence" ? PROGRAM.exec(token.info) : null;
      const file = token.type === "fence" ? / file=(\S+)/.exec(token.info)?.[1] : undefined;
      const isPart = token.type === "fence" && token.info === "ts part";
      if (token.type === "fence") token.info = token.info.replace(/^(\w+) .*/, "$1");
      if (!found || !isRunPage) {
        tokens.push(token);
        const note = isPart
          ? "A part of a program: it does not run alone."
          : file && `An excerpt of <code>${md.utils.escapeHtml(file)}</code>, which the tests run.`;
        if (note !== undefined) tokens.push(html(`<p class="from-file">${note}</p>`));
        continue;
      }
      const next = state.tokens[at + 1];
      const output = next?.type === "fence" && next.info === "text" ? next : undefined;
      const forPage = found[1] ? " is-for-page" : "";
      tokens.push(html(`<RunExample :number="${++count}"${forPage}>`), token);
      if (output !== undefined) {
        tokens.push(html("<template #output>"), output, html("</template>"));
        at++;
      }
      tokens.push(html("</RunExample>"));
    }
    state.tokens = tokens;
  });

  // Braces in text are no expressions of the template that a page becomes.
  for (const name of ["text", "code_inline"]) {
    const rule = md.renderer.rules[name];
    md.renderer.rules[name] = (...values) => rule(...values).replaceAll("{{", "&#123;&#123;");
  }

  const image = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, at, options, env, self) => {
    const token = tokens[at];
    const file = pictures(token.attrGet("src"));
    const size = file === undefined ? undefined : sizeOf(file);
    if (size !== undefined) {
      token.attrSet("width", String(size.width));
      token.attrSet("height", String(size.height));
    }
    const element = image(tokens, at, options, env, self);
    const still = file?.endsWith(".webp") && token.attrGet("src").replace(/\.webp$/, "-light.png");
    return still
      ? `<picture><source media="${STILL}" srcset="${still}">${element}</picture>`
      : element;
  };
}

/** Where a recording's place is a still picture's: it takes five times its bytes, and it moves. */
const STILL = "(max-width: 47.5rem), (prefers-reduced-motion: reduce)";

/**
 * @param {string} path of a PNG, an animated WebP or an SVG
 * @returns {{ width: number, height: number } | undefined}
 */
function sizeOf(path) {
  const bytes = readFileSync(path);
  if (path.endsWith(".png"))
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (path.endsWith(".webp"))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString()) ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}
