// SPDX-License-Identifier: MIT
// Writes the API reference as markdown: a page per entry of the package (the main one in parts), an
// index of the entries and one of the names.
import { folderOf, readEntries } from "./declarations.mjs";
import { blocksIn } from "../../tests/js/guides.mjs";
import { programsOf } from "../programs.mjs";
import { addressOfPage } from "../pages.mjs";
import { cell, errorsPage } from "./errors.mjs";
import { tablesOfNames } from "./names.mjs";
import { Uses, importedBy } from "./uses.mjs";

/** @typedef {import("./declarations.mjs").Name} Name */

const MAIN = "weftgraph";
/** How many links to documents a name has. */
const MOST_USES = 4;
/** Titles of the parts of the main entry, by the folder of the declarations. */
const PARTS = {
  graph: "Graphs",
  state: "State and channels",
  func: "Workflows of functions",
  base: "Errors, commands, config",
  messages: "Messages",
  tools: "Tools",
  plan: "Policies of nodes",
  events: "Streams of events",
  runnable: "Runnable",
  savers: "Checkpointers",
  stores: "Stores and caches",
  compat: "Older names",
};

/** @param {string} name of an entry @returns {string} its page */
const pageOfEntry = (name) =>
  name === MAIN ? "reference/weftgraph.md" : `reference/${name.slice(MAIN.length + 1)}.md`;
const pageOfPart = (part) => `reference/weftgraph/${part}.md`;

export class Reference {
  /** Text by page. @type {Map<string, string>} */
  texts = new Map();
  /** Titles by page, in order. @type {{ title: string, page: string }[]} */
  sections = [];
  /** Where each name is described. @type {Map<Name, string>} */
  #pages = new Map();
  #uses = new Uses();
  /** Names whose examples import `name entry`. @type {Map<string, Set<Name>>} */
  #examples = new Map();

  constructor() {
    this.entries = readEntries();
    this.#place();
    this.#readExamples();
    for (const entry of this.entries) if (entry.name !== MAIN) this.#writeEntry(entry);
    this.#writeMain();
    this.#writeIndexes();
  }

  /** Every name once. */
  get names() {
    return [...this.#pages.keys()];
  }

  /** Decides on which page a name is described: that of the entry whose file declares it. */
  #place() {
    const [main, ...others] = this.entries;
    for (const { name: entry, file, names } of others)
      for (const name of names.values())
        if (name.file === file && !this.#pages.has(name)) this.#pages.set(name, pageOfEntry(entry));
    for (const name of main.names.values())
      if (!this.#pages.has(name)) this.#pages.set(name, pageOfPart(partOf(name)));
    for (const { name: entry, names } of others)
      for (const name of names.values())
        if (!this.#pages.has(name)) this.#pages.set(name, pageOfEntry(entry));
  }

  #writeEntry({ name: entry, what, names }) {
    const page = pageOfEntry(entry);
    const all = [...names.values()];
    const here = all.filter((name) => this.#pages.get(name) === page);
    const elsewhere = all.filter((name) => this.#pages.get(name) !== page);
    const main = this.entries[0].names;
    const isMain = all.length === main.size && all.every(({ name }) => main.has(name));
    const lead = `${sentence(what)}\n`;
    const rest = isMain
      ? `\nThe same names as [\`weftgraph\`](/reference/weftgraph).\n`
      : elsewhere.length > 0
        ? `\n## Also exported\n\n${elsewhere.map((name) => this.#linkTo(name)).join(", ")}\n`
        : "";
    this.#write(page, entry, here, lead, rest);
    this.sections.push({ title: entry, page });
  }

  #writeMain() {
    const main = this.entries[0];
    const all = [...main.names.values()];
    const parts = Object.keys(PARTS).flatMap((part) => {
      const page = pageOfPart(part);
      const here = all.filter((name) => this.#pages.get(name) === page);
      if (here.length === 0) return [];
      this.#write(page, PARTS[part], here, `Exported by \`weftgraph\`.\n`, "");
      return [{ title: PARTS[part], page, here }];
    });
    const described = new Set(parts.flatMap(({ here }) => here));
    const rest = all.filter((name) => !described.has(name));
    const lists = parts.map(
      ({ title, page, here }) =>
        `## [${title}](${addressOfPage(page)})\n\n${here.map((name) => this.#linkTo(name)).join(", ")}\n`,
    );
    this.texts.set(
      pageOfEntry(MAIN),
      `# ${MAIN}\n\n${sentence(main.what)}\n\n    import { StateGraph } from "weftgraph";\n\n${lists.join("\n")}\n## Also of an entry of their own\n\n${rest.map((name) => this.#linkTo(name)).join(", ")}\n`,
    );
    this.parts = parts.map(({ title, page }) => ({ title, page }));
    this.sections.unshift({ title: MAIN, page: pageOfEntry(MAIN) });
  }

  /**
   * @param {string} page
   * @param {string} title
   * @param {Name[]} names
   * @param {string} lead markdown before them
   * @param {string} rest markdown behind them
   */
  #write(page, title, names, lead, rest) {
    const values = names.filter(({ isType }) => !isType);
    const types = names.filter(({ isType }) => isType);
    const isOld = ({ deprecated }) => (deprecated === undefined ? 0 : 1);
    const section = (heading, all) =>
      all.length === 0
        ? ""
        : `\n## ${heading}\n\n${all
            .toSorted((a, b) => isOld(a) - isOld(b))
            .map((name) => this.#describe(name))
            .join("\n")}`;
    this.texts.set(
      page,
      `---\noutline: [2, 3]\npageClass: reference\n---\n\n# ${code(title)}\n\n${lead}${section("Values", values)}${section("Types", types)}${rest}`,
    );
  }

  /** @param {Name} name */
  #describe(name) {
    const parts = [`### ${name.name} {:#${name.name}}\n`];
    if (name.deprecated !== undefined)
      parts.push(`**Deprecated**: ${this.#prose(name.deprecated)}\n`);
    if (name.text !== "") parts.push(`${this.#prose(name.text)}\n`);
    parts.push(fence("ts signature", name.signature));
    parts.push(this.#describeCall(name));
    const members = name.members.filter(
      (member) => member.text !== "" || member.errors.length > 0 || member.parameters.length > 0,
    );
    if (members.length > 0) parts.push(members.map((one) => this.#describeMember(one)).join(""));
    for (const example of [name, ...name.members].flatMap(({ examples }) => examples))
      parts.push(`${example}\n`);
    parts.push(this.#related(name));
    return parts.filter(Boolean).join("\n");
  }

  /** Parameters, result and errors. @param {Name} described */
  #describeCall({ parameters, result, returns = "", errors, throwsNothing }) {
    const row = (name, type, text) =>
      `| ${name} | ${type === "" ? "" : `\`${cell(type)}\``} | ${cell(this.#prose(text))} |\n`;
    const rows = [
      ...parameters.map(({ name, type, text }) => row(`\`${name}\``, type, text)),
      ...(returns || (result && parameters.length > 0) ? [row("returns", result, returns)] : []),
      ...errors.map((text) => row("throws", "", text)),
      ...(throwsNothing ? [row("throws", "", "nothing, whatever it is given")] : []),
    ];
    return rows.length === 0 ? "" : `| | | |\n|---|---|---|\n${rows.join("")}`;
  }

  /** @param {import("./declarations.mjs").Member} member */
  #describeMember(member) {
    if (member.name === "constructor") return member.text && `- ${this.#prose(member.text)}\n`;
    const errors = member.errors.map((text) => ` *Throws* ${this.#prose(text)}.`).join("");
    const parameters = member.parameters
      .map(({ name, type, text }) => {
        const shown = type === "" || type === undefined ? name : `${name}: ${type}`;
        return `\`${shown}\`${text === "" ? "" : ` (${this.#prose(text)})`}`;
      })
      .join(", ");
    const returns = member.returns ? ` *Returns* ${this.#prose(member.returns)}.` : "";
    const takes = member.isAlsoOther ? "A function takes" : "Takes";
    const call = parameters === "" ? "" : ` *${takes}* ${parameters}.`;
    const text = `${this.#prose(member.text)}${call}${returns}${errors}`;
    return `- \`${member.name}\`: ${text.trim().replaceAll(/\s*\n\s*/g, " ")}\n`;
  }

  /** @param {Name} name */
  #related(name) {
    const parts = [];
    const entries = name.entries.filter((entry) => entry !== `${MAIN}/web`);
    parts.push(`**Import from** ${entries.map((entry) => `\`${entry}\``).join(", ")}`);
    const mentions = name.mentions.flatMap((other) => {
      const found = this.#find(other);
      return found === undefined ? [] : [this.#linkTo(found)];
    });
    if (mentions.length > 0) parts.push(`**Mentions** ${mentions.join(", ")}`);
    const uses = this.usesOf(name).slice(0, MOST_USES);
    if (uses.length > 0)
      parts.push(
        `**Examples** ${uses.map(({ title, address }) => `[${title}](${address})`).join(", ")}`,
      );
    return `${parts.join(" · ")} {:.related}\n`;
  }

  /**
   * Where the documents use a name, and the examples of other names.
   * @param {Name} name
   * @returns {{ title: string, address: string }[]}
   */
  usesOf(name) {
    const inExamples = new Set(
      name.entries.flatMap((entry) => [...(this.#examples.get(`${name.name} ${entry}`) ?? [])]),
    );
    inExamples.delete(name);
    return [
      ...this.#uses.of(name),
      ...[...inExamples].map((other) => ({ title: other.name, address: this.#addressOf(other) })),
    ];
  }

  /** Notes which examples of names import which others. */
  #readExamples() {
    for (const name of this.names)
      for (const example of name.examples)
        for (const imported of importedBy(example)) {
          const all = this.#examples.get(imported) ?? new Set();
          this.#examples.set(imported, all.add(name));
        }
  }

  /** The programs of its pages, in their order, as those of the guides are given. */
  get programs() {
    return [...this.texts].flatMap(([page, text]) => programsOf(blocksIn(text, page)));
  }

  /** @param {string} name */
  #find(name) {
    for (const { names } of this.entries) if (names.has(name)) return names.get(name);
    return undefined;
  }

  /** @param {Name} name */
  #linkTo(name) {
    return `[\`${name.name}\`](${this.#addressOf(name)})`;
  }

  /** @param {Name} name */
  #addressOf(name) {
    return `${addressOfPage(this.#pages.get(name))}#${name.name}`;
  }

  /** A comment's text as markdown. @param {string} text */
  #prose(text) {
    return text.replaceAll(/\{@link\s+([^}\s|]+)\s*\|?([^}]*)\}/g, (_, target, label) => {
      const found = this.#find(target);
      if (found !== undefined && label === "") return this.#linkTo(found);
      return `\`${label.trim() || target}\``;
    });
  }

  #writeIndexes() {
    this.texts.set(
      "reference/errors.md",
      errorsPage((type) => this.#find(type) && this.#linkTo(this.#find(type))),
    );
    const entries = this.sections.map(
      ({ title, page }) =>
        `| [\`${title}\`](${addressOfPage(page)}) | ${this.entries.find(({ name }) => name === title).what} |\n`,
    );
    this.texts.set(
      "reference/index.md",
      `# API reference\n\nMade from the package's declarations, which editors show too. [Every name, from A to Z](/reference/names) says where it is imported from; [error codes](/reference/errors) are a page of their own.\n\n| import from | what is there |\n|---|---|\n${entries.join("")}| \`weftgraph/engine.wasm\` | the engine itself, for \`init()\` |\n`,
    );
    const tables = tablesOfNames(this.names, (name) => this.#linkTo(name));
    this.texts.set(
      "reference/names.md",
      `---\nsearch: false\npageClass: names\n---\n\n# Names\n\nEvery public name and the entries that export it. \`weftgraph/web\` exports what \`weftgraph\` does.\n\n${tables}`,
    );
  }
}

/** @param {Name} name */
function partOf({ file }) {
  const folder = folderOf(file).split("/")[0];
  return folder in PARTS ? folder : "base";
}

const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
const code = (title) => (title.startsWith(MAIN) ? `\`${title}\`` : title);
const sentence = (text) => (text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}.`);
