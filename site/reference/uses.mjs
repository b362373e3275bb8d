// SPDX-License-Identifier: MIT
// Finds where the documents use a name: the section of a guide whose program imports it, or whose
// code or text names it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addressOfPage, documents, pageOf, slugOf } from "../pages.mjs";
import { top } from "../programs.mjs";

/**
 * @typedef {object} Use
 * @property {string} title of the section
 * @property {string} address
 * @property {number} rank the least is shown first
 *
 * @typedef {{ page: string, title: string, slug: string, code: string, prose: string }} Section
 */

/** How much of an example a use is. */
const RANKS = { imported: 0, inCode: 1, inGuide: 2, inPage: 3 };
/** Documents that explain; records of decisions and measures do not. */
const PAGES =
  /^(README\.md|docs\/(guides\/.*|semantics|differences|approval-safety|malformed-output|log-format|sealed-format|architecture)(\.md)?|examples\/.*)$/;

/** @param {string} page @returns {Section[]} */
function sectionsOf(page) {
  const sections = [{ page, title: "", slug: "", code: "", prose: "" }];
  let isCode = false;
  for (const line of readFileSync(join(top, page), "utf8").split("\n")) {
    if (/^ *```/.test(line)) {
      isCode = !isCode;
      continue;
    }
    const heading = isCode ? null : /^(#+) (.*)$/.exec(line);
    if (heading)
      sections.push({
        page,
        title: heading[2].replaceAll("`", ""),
        slug: heading[1] === "#" ? "" : slugOf(heading[2]),
        code: "",
        prose: "",
      });
    const kind = isCode || /^ {4}\S/.test(line) ? "code" : "prose";
    sections.at(-1)[kind] += `${line}\n`;
  }
  return sections;
}

/** @param {string} line of a module @returns {string[]} `name entry` of what it imports */
export const importedBy = (code) =>
  [...code.matchAll(/import(?: type)? \{([^}]*)\} from "(weftgraph[^"]*)"/g)].flatMap(
    ([, names, entry]) =>
      names
        .split(",")
        .map((name) =>
          name
            .replace(/\btype\b/, "")
            .split(" as ")[0]
            .trim(),
        )
        .filter(Boolean)
        .map((name) => `${name} ${entry}`),
  );

export class Uses {
  /** @type {Section[]} */
  #sections = documents()
    .filter((path) => PAGES.test(path))
    .flatMap(sectionsOf);
  /** Sections that import a name, by `name entry`. @type {Map<string, Section[]>} */
  #imports = new Map();
  /**
   * Sections whose code has a word, whose text has it in backticks.
   * @type {Map<string, Section[]>[]}
   */
  #words = [new Map(), new Map()];

  constructor() {
    const note = (map, word, section) => {
      const all = map.get(word) ?? [];
      if (!all.includes(section)) map.set(word, [...all, section]);
    };
    for (const section of this.#sections) {
      for (const imported of importedBy(section.code)) note(this.#imports, imported, section);
      for (const [word] of section.code.matchAll(/[\w$]+/g)) note(this.#words[0], word, section);
      for (const [, span] of section.prose.matchAll(/`([^`\n]+)`/g))
        for (const [word] of span.matchAll(/(?<![\w.$"'/-])[\w$]+(?![\w$"'/-])/g))
          note(this.#words[1], word, section);
    }
  }

  /**
   * @param {{ name: string, entries: string[] }} name
   * @returns {Use[]} the best first, one of a page
   */
  of({ name, entries }) {
    // A plain word in code or in text may be anything.
    const isOwn = /[a-z\d][A-Z]|[A-Z][a-z]|_[A-Z]|\d/.test(name);
    const found = [
      ...entries
        .flatMap((entry) => this.#imports.get(`${name} ${entry}`) ?? [])
        .map((section) => [RANKS.imported, section]),
      ...(isOwn ? (this.#words[0].get(name) ?? []) : []).map((section) => [
        isGuide(section) ? RANKS.inCode : RANKS.inPage,
        section,
      ]),
      ...(isOwn ? (this.#words[1].get(name) ?? []) : []).map((section) => [
        isGuide(section) ? RANKS.inGuide : RANKS.inPage,
        section,
      ]),
    ].map(([rank, section]) => ({
      rank,
      section,
      // The page that has most to say about it, and there the section that has.
      onPage: this.#sections
        .filter(({ page }) => page === section.page)
        .reduce((sum, one) => sum + timesIn(one, name), 0),
      here: timesIn(section, name),
    }));
    found.sort((a, b) => a.rank - b.rank || b.onPage - a.onPage || b.here - a.here);
    const pages = new Map();
    for (const { rank, section } of found)
      if (!pages.has(section.page)) pages.set(section.page, useOf(rank, section));
    return [...pages.values()];
  }
}

/** @param {Section} section */
const isGuide = ({ page }) => /^(README\.md$|docs\/guides\/|examples\/)/.test(page);

/** @param {Section} section @param {string} name */
const timesIn = ({ code, prose }, name) => `${code}${prose}`.split(name).length - 1;

/** @param {number} rank @param {Section} section @returns {Use} */
function useOf(rank, { page, title, slug }) {
  const name =
    page === "README.md"
      ? "overview"
      : page
          .replace(/(\/README)?\.md$/, "")
          .replace(/^.*\//, "")
          .replaceAll("-", " ");
  return {
    rank,
    title: slug === "" ? name : `${name}: ${title}`,
    address: `${addressOfPage(pageOf(page))}${slug === "" ? "" : `#${slug}`}`,
  };
}
