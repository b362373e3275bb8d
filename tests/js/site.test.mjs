// SPDX-License-Identifier: MIT
// The pages of the documentation's site, before they are built: each document is one, links lead
// somewhere, the reference has every public name, and programs import what the page has.
// tests/browser/site.test.mjs has the built site.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pages, addressOfPage, documents, pageOf, slugOf } from "../../site/pages.mjs";
import { examples, importsOf, manifest, programs } from "../../site/programs.mjs";
import { Reference } from "../../site/reference/pages.mjs";
import { packagesOfSite } from "../../site/run/bundle.mjs";
import { guidesSidebar, referenceSidebar } from "../../site/sidebar.mjs";

const pages = new Pages();
const reference = new Reference();
const texts = new Map([...pages.texts, ...reference.texts]);

/** A page's text without its code. @param {string} text */
const proseOf = (text) =>
  text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").replaceAll(/`[^`\n]+`/g, "x");

/** @param {string} text @returns {Set<string>} the anchors of a page */
function anchorsOf(text) {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return new Set(
    [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
      const own = / \{:#([^}]+)\}$/.exec(heading)?.[1];
      return own ?? slugOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    }),
  );
}

test("every document of the repository is a page", () => {
  const found = documents();
  assert.ok(found.length > 70);
  assert.deepEqual(
    found.filter((path) => !texts.has(pageOf(path))),
    [],
  );
});

test("links of the pages lead to a page, a heading of it, or a file", () => {
  const byAddress = new Map(
    [...texts].map(([page, text]) => [addressOfPage(page), anchorsOf(text)]),
  );
  let count = 0;
  const dead = [...texts].flatMap(([page, text]) =>
    [...proseOf(text).matchAll(/\]\((\/[^)#\s]*)(?:#([^)\s]*))?\)/g)]
      .filter(([, address, anchor]) => {
        count++;
        if (pages.files.has(address)) return false;
        const anchors = byAddress.get(address);
        return anchors === undefined || (anchor !== undefined && !anchors.has(anchor));
      })
      .map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(dead, []);
  assert.ok(count > 2000);
});

test("no link of a page is left as it stands in the repository", () => {
  const left = [...texts].flatMap(([page, text]) =>
    [...proseOf(text).matchAll(/\]\((?!\w+:|\/|#)[^)]*\)/g)].map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(left, []);
});

test("every page but those of files and entries' parts is in a sidebar", () => {
  const shown = new Set();
  const visit = (items) => {
    for (const { link, items: inside = [] } of items) {
      shown.add(link);
      visit(inside);
    }
  };
  visit([...guidesSidebar(pages), ...referenceSidebar(reference)]);
  const hidden = [...texts.keys()]
    .filter((page) => !/^(index\.md|files\/)/.test(page))
    .map(addressOfPage)
    .filter((address) => !shown.has(address));
  assert.deepEqual(hidden, []);
});

test("the reference has a page for every entry, and every name once", () => {
  const entries = Object.entries(manifest.exports)
    .filter(([, files]) => typeof files === "object")
    .map(([entry]) => `weftgraph${entry.slice(1)}`);
  assert.deepEqual(reference.sections.map(({ title }) => title).sort(), entries.sort());
  const places = [...reference.texts].flatMap(([page, text]) =>
    [...text.matchAll(/^### .* \{:#([^}]+)\}$/gm)].map(([, name]) => `${name} ${page}`),
  );
  assert.equal(places.length, reference.names.length);
  assert.ok(places.length > 800);
  const index = reference.texts.get("reference/names.md");
  assert.deepEqual(
    reference.names.filter(({ name }) => !index.includes(`| [\`${name}\`](`)),
    [],
  );
});

test("public names have a sentence that says what they are", () => {
  assert.deepEqual(
    reference.names
      .filter(({ text, deprecated }) => text === "" && !deprecated)
      .map(({ name, file }) => `${name} (${file})`),
    [],
  );
});

/** Values that a function may be given. */
const ODD = [undefined, null, 0, "", "a", true, [], {}, Object.create(null), Symbol("a"), () => 1];

test("functions that say that they throw nothing do not, whatever they are given", async () => {
  const said = reference.names.filter(({ throwsNothing }) => throwsNothing);
  assert.ok(said.length > 50, `${said.length} functions`);
  for (const { name, entries } of said) {
    const { [name]: call } = await import(entries[0]);
    for (const value of ODD)
      for (const others of [[], [value, value]])
        assert.doesNotThrow(() => call(value, ...others), name);
  }
});

/** Is a result said: in words, or by a type that leaves nothing to say? */
const saysResult = ({ text, returns, result }) =>
  returns !== undefined ||
  /^(Returns|Yields) /.test(text) ||
  /^(asserts .*|\w+ is .*|boolean|Promise<void>|)$/.test(result);

/** Functions that do more than refuse odd values: they load, run tests or change globals. */
const ACTING = ["evalTests", "init", "loadEngine", "storeContract"];

test("functions and classes that are given odd values throw no code that the reference does not name", async () => {
  const called = reference.names.filter(
    ({ isType, kind, name }) => !isType && kind !== "constant" && !ACTING.includes(name),
  );
  const refused = new Set();
  const unnamed = new Set();
  for (const { name, kind, entries, errors } of called) {
    const { [name]: given } = await import(entries[0]);
    const call = kind === "class" ? (...args) => new given(...args) : given;
    for (const value of ODD)
      for (const others of [[], [value, value]])
        try {
          const made = await call(value, ...others);
          await made?.next?.();
        } catch (error) {
          const { code } = error;
          if (typeof code !== "string") continue;
          if (code === "BAD_ARGUMENT") refused.add(name);
          // A class of its own stands for its code.
          const names = error.name === "WeftError" ? [code] : [code, error.name];
          if (!names.some((one) => errors.some((text) => text.includes(one))))
            unnamed.add(`${name}: ${code}`);
        }
  }
  assert.deepEqual([...unnamed], []);
  assert.ok(refused.size > 80, `${refused.size} refuse with BAD_ARGUMENT`);
});

test("the reference says of each value what it takes, gives and throws, and has an example", () => {
  const values = reference.names.filter(({ isType }) => !isType);
  const partOf = ({ name, entries }) => {
    const [text] = [...reference.texts.values()].filter(
      (text) =>
        text.includes(`### ${name} {:#${name}}`) &&
        entries.some((entry) => text.split(`### ${name} {:#${name}}`)[1].includes(entry)),
    );
    return text.split(`### ${name} {:#${name}}`)[1].split("\n### ")[0];
  };
  const named = (all) => all.map(({ name, file }) => `${name} (${file})`);
  const calls = values.filter(({ parameters }) => parameters.length > 0);
  assert.ok(calls.length > 300, `${calls.length} take parameters`);
  assert.deepEqual(
    named(
      calls.filter((one) =>
        one.parameters.some(({ name }) => !partOf(one).includes(`| \`${name}\` |`)),
      ),
    ),
    [],
    "without a table of parameters",
  );
  assert.deepEqual(
    named(
      values.filter(
        (one) => !/^```ts( part)?$/m.test(partOf(one)) && !partOf(one).includes("**Examples**"),
      ),
    ),
    [],
    "without an example or a link to one",
  );
  assert.deepEqual(
    calls.flatMap(({ name, parameters }) =>
      parameters.filter(({ text }) => text === "").map((one) => `${name}: ${one.name}`),
    ),
    [],
    "parameters without a sentence",
  );
  assert.deepEqual(
    named(values.filter((one) => one.kind === "function" && !partOf(one).includes("| throws |"))),
    [],
    "functions without their errors",
  );
  assert.deepEqual(
    named(values.filter((one) => one.kind === "function" && !saysResult(one))),
    [],
    "functions without their result",
  );
});

test("the reference says of every method and callback of a class or interface what it takes", () => {
  const methods = reference.names.flatMap(({ name, members }) =>
    members
      .filter((member) => member.name !== "constructor" && member.parameters.length > 0)
      .map((member) => ({ ...member, name: `${name}.${member.name}` })),
  );
  assert.ok(methods.length > 400, `${methods.length} take parameters`);
  const names = methods.map(({ name }) => name);
  for (const optional of ["ServerOptions.onError", "ToolNode.repair", "ToolNodeOptions.approval"])
    assert.ok(names.includes(optional), optional);
  assert.deepEqual(
    methods.flatMap(({ name, parameters }) =>
      parameters.filter(({ text }) => text === "").map((one) => `${name}: ${one.name}`),
    ),
    [],
    "parameters without a sentence",
  );
});

test("the reference says of a value that may be a function what the function takes", () => {
  const text = texts.get("reference/prebuilt.md");
  assert.match(text, /^- `repair`: .* \*Takes\* `failed: ToolCallFailure`/m);
  assert.match(text, /^- `handleToolErrors`: .* \*A function takes\* `error: any`/m);
});

test("the reference says of a method what its base class says of it, as editors do", () => {
  const { members } = reference.names.find(({ name }) => name === "HumanMessageChunk");
  const { parameters } = members.find(({ name }) => name === "concat");
  assert.match(parameters[0].text, /^the next part/);
});

test("the reference shows every example of the declarations", () => {
  const shown = new Set(reference.programs.map(({ text }) => text));
  const all = examples();
  assert.ok(all.length > 90);
  assert.deepEqual(
    all.filter(({ text }) => !shown.has(text)).map(({ name }) => name),
    [],
  );
});

test("every program of the documents imports only what the page has", () => {
  const all = [...programs(), ...examples()];
  assert.ok(all.length > 200, `${all.length} programs`);
  const here = packagesOfSite();
  assert.deepEqual(
    all.flatMap(({ page, line, imports }) =>
      imports.filter((name) => !here.includes(name)).map((name) => `${page}:${line}: ${name}`),
    ),
    [],
  );
  const [one, ...others] = importsOf(
    'import { readFile } from "node:fs/promises";\nimport type { Socket } from "node:net";\n',
  );
  assert.deepEqual([one, others], ["node:fs/promises", []]);
});
