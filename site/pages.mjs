// SPDX-License-Identifier: MIT
// Gathers the pages of the site from the markdown of the repository, which stays as it is: only
// links are rewritten. What a page links to and is no page itself becomes one that shows the file.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { top } from "./programs.mjs";

const NAMES = "docs/guides/names.md";
const TOP_PAGES = {
  "README.md": "overview.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security.md",
};
const LINK = /(!?\[(?:[^[\]]|\[[^\]]*\])*\]\()(?!\w+:)([^)#\s]*)(#[^)\s]*)?\)/g;
/** Files that are given as they are: too long for a page, or no text. */
const AS_IT_IS = /\.(json|png|svg|wasm)$/;

/** Where the site is made: beside the packages that its pages import. */
export const gathered = () => join(top, "site/build");

const read = (path) => readFileSync(join(top, path), "utf8");

/** The markdown files of the repository that are pages. */
export const documents = () =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: top,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => path in TOP_PAGES || /^(docs|examples|wasm|web-demo)\//.test(path))
    .filter((path) => path !== NAMES && existsSync(join(top, path)));

/** @param {string} path of a document @returns {string} of its page */
export const pageOf = (path) =>
  TOP_PAGES[path] ??
  (path === NAMES
    ? "reference/index.md"
    : path.replace(/^docs\//, "").replace(/README\.md$/, "index.md"));

/** The page that shows a file; a point in its address would begin an ending. */
const pageOfFile = (path) => `files/${path.replaceAll(".", "-")}.md`;

/** @param {string} page @returns {string} its address, without the base */
export const addressOfPage = (page) =>
  `/${page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;

/**
 * The address of a heading, as repository hosts make it.
 * @param {string} heading
 */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** Text in parts: even ones are prose, odd ones are code. @param {string} text */
const inParts = (text) => text.split(/(^ *```[\s\S]*?^ *```$|``[^`\n]+``|`[^`\n]+`)/gm);

/** @param {string} text @param {(prose: string) => string} change */
function changeProse(text, change) {
  // Links may hold code in their text: code is put aside, and back.
  const codes = [];
  const prose = inParts(text)
    .map((part, at) => (at % 2 === 0 ? part : `\u0000${codes.push(part) - 1}\u0000`))
    .join("");
  return change(prose).replaceAll(/\u0000(\d+)\u0000/g, (_, at) => codes[Number(at)]);
}

/** The start page, with the first program of README.md. */
function startPage() {
  const text = readFileSync(join(top, "site/pages/index.md"), "utf8");
  const [program] = /^```ts\n[\s\S]*?^```\n\n```text\n[\s\S]*?^```$/m.exec(read("README.md"));
  return text.replace("FIRST PROGRAM", () => program);
}

export class Pages {
  /** Text by page. @type {Map<string, string>} */
  texts = new Map();
  /** Files of the repository that are copied, by their address. @type {Map<string, string>} */
  files = new Map();

  constructor() {
    this.texts.set("index.md", startPage());
    for (const path of documents()) this.texts.set(pageOf(path), this.#rewrite(path, read(path)));
  }

  /** Links of a document as links of its page. @param {string} path @param {string} text */
  #rewrite(path, text) {
    return changeProse(text, (prose) =>
      prose.replaceAll(LINK, (_, start, target, anchor = "") => {
        const to = target === "" ? path : join(dirname(path), target);
        return `${start}${this.#addressOf(to, anchor, start.startsWith("!"))})`;
      }),
    );
  }

  /** @param {string} path in the repository @param {string} anchor @param {boolean} isPicture */
  #addressOf(path, anchor, isPicture) {
    if (path.endsWith(".md")) return addressOfPage(pageOf(path)) + anchor;
    if (isPicture || AS_IT_IS.test(path)) {
      const address = isPicture ? path.replace(/^docs\//, "/") : `/files/${path}`;
      this.files.set(address, path);
      return address;
    }
    this.#showFile(path);
    return addressOfPage(pageOfFile(path));
  }

  /** Makes a page that shows a file, or the files of a folder. @param {string} path */
  #showFile(path) {
    const page = pageOfFile(path);
    if (this.texts.has(page)) return;
    const isFolder = statSync(join(top, path)).isDirectory();
    const paths = isFolder
      ? execFileSync("git", ["ls-files", path], { cwd: top, encoding: "utf8" }).trim().split("\n")
      : [path];
    const parts = paths.map((path) => {
      const fence = "```";
      return `${isFolder ? `## ${path}\n\n` : ""}${fence}${extname(path).slice(1)}\n${read(path)}${fence}\n`;
    });
    this.texts.set(page, `---\nsearch: false\n---\n\n# ${path}\n\n${parts.join("\n")}`);
  }
}
