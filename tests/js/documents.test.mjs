// SPDX-License-Identifier: MIT
// The pages of docs/ are true of the code as far as a machine can tell: pictures and charts are up
// to date, folders and places to start at exist, links and numbered references lead to a heading or
// a rule.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { charts } from "../../tools/charts.mjs";
import { layersOf, pictures } from "../../tools/pictures.mjs";

const top = fileURLToPath(new URL("../../", import.meta.url));
const read = (path) => readFileSync(join(top, path), "utf8");
const GENERATED =
  /(^|\/)(node_modules|cjs|node|engine-text\.js|engine-base64\.js|idbfs-text\.js|idbfs-glue\.js|[^/]*\.wasm)$/;

/**
 * The files below a folder, generated ones left out.
 * @param {string} folder
 * @param {RegExp} ending
 * @returns {string[]}
 */
function filesIn(folder, ending) {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (GENERATED.test(path)) return [];
    return entry.isDirectory() ? filesIn(path, ending) : ending.test(path) ? [path] : [];
  });
}

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...filesIn("docs", /\.md$/),
  ...filesIn("examples", /\.md$/),
];

test("pictures and charts are what their tools make now", async () => {
  for (const [path, text] of Object.entries({ ...(await pictures()), ...charts() })) {
    assert.ok(
      existsSync(join(top, path)) && read(path) === text,
      `${path} is old: run make ${path.endsWith("superstep.svg") || path.endsWith("layers.svg") ? "pictures" : "charts"}`,
    );
  }
});

/**
 * How long an animated WebP plays, in ms: frames are chunks ANMF, with their time at byte 12.
 * @param {Buffer} bytes
 */
function playedMs(bytes) {
  let sum = 0;
  for (let at = 12; at < bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "ANMF") sum += bytes.readUIntLE(at + 8 + 12, 3);
    at += 8 + size + (size % 2);
  }
  return sum;
}

test("README and the guide show the studio: light, dark, and recorded in 30 s and 2 MB", () => {
  for (const page of ["README.md", "docs/guides/studio.md"])
    for (const picture of ["studio-light.png", "studio-dark.png", "studio.webp"])
      assert.match(
        read(page),
        new RegExp(`!\\[[^\\]]{20,}\\]\\([./\\w]*pictures/${picture}\\)`),
        page,
      );
  const recording = readFileSync(join(top, "docs/pictures/studio.webp"));
  assert.ok(recording.length <= 2_000_000, `${recording.length} bytes`);
  const seconds = playedMs(recording) / 1000;
  assert.ok(seconds >= 28 && seconds <= 32, `it plays for ${seconds} s`);
});

test("docs/architecture.md is short, names every folder and the layers of the engine in their order", () => {
  const text = read("docs/architecture.md");
  assert.ok(text.split(/\s+/).length <= 1500);
  const folders = ["src", "js", "tests"].flatMap((folder) =>
    readdirSync(join(top, folder), { withFileTypes: true }),
  );
  assert.deepEqual(
    folders
      .filter((entry) => entry.isDirectory() && !text.includes(`${entry.name}/`))
      .map(({ name }) => name),
    [],
  );
  const namesIn = (test) =>
    [.../const LAYERS = \[([^\]]*)\]/.exec(read(test))[1].matchAll(/"([\w/-]+)"/g)].map(
      ([, name]) => name,
    );
  const outer = [...new Set(namesIn("tests/layers.mjs").map((name) => name.split("/")[0]))];
  assert.deepEqual(
    layersOf("src/").flatMap(({ names }) => names),
    outer.filter((name) => name !== "engine"),
  );
  // Of js/ the page names the outer folders only.
  const order = new Set(namesIn("tests/js-layers.mjs").map((name) => name.split("/")[0]));
  assert.deepEqual(
    new Set(layersOf("js/").flatMap(({ names }) => names)),
    new Set([...order].filter((name) => name !== ".").concat("types")),
  );
});

/** The rows of tables that say in which folder to look for what. @param {string} page */
const placesIn = (page) => [...read(page).matchAll(/^\| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$/gm)];

for (const [page, least] of [
  ["docs/architecture.md", 12],
  ["CONTRIBUTING.md", 15],
]) {
  test(`where ${page} says to look there is what it names`, () => {
    const places = placesIn(page);
    assert.ok(places.length >= least);
    const found = (folder, text) =>
      filesIn(folder, /\.(c|h|def|js|mjs|ts|md)$/).some((path) => read(path).includes(text));
    assert.deepEqual(
      places.filter(([, , folder, text]) => !found(folder, text)).map(([row]) => row),
      [],
    );
  });
}

test("files that a page names in backticks are there", () => {
  const missing = [
    "docs/architecture.md",
    "docs/log-format.md",
    "docs/semantics.md",
    "docs/benchmarks.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...filesIn("docs/decisions", /\.md$/),
  ].flatMap((page) =>
    [...read(page).matchAll(/`((?:src|js|tests|tools|wasm|examples)\/[\w./-]+\.\w+)`/g)]
      .filter(([, path]) => !existsSync(join(top, path)))
      .map(([, path]) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test("commands that the pages name are targets of the Makefile", () => {
  const targets = new Set(
    [...read("Makefile").matchAll(/^([a-z-]+(?: [a-z-]+)*):/gm)].flatMap(([, names]) =>
      names.split(" "),
    ),
  );
  for (const suite of ["c", "js", "spec", "types", "peer"]) assert.ok(targets.has(`test-${suite}`));
  const named = pages.flatMap((page) =>
    [
      ...read(page).matchAll(/(?:^ {4}|`)make ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+-[a-z-]+)*)/gm),
    ].flatMap(([, names]) => names.split(" ").map((name) => [page, name])),
  );
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter(([, name]) => !targets.has(name)),
    [],
  );
});

/** The address of a heading, as GitHub makes it. @param {string} heading */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

test("links between the pages lead to a file, and to a heading of it", () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]*))?\)/g)]
      .filter(([, path, heading]) => {
        const target = path === "" ? page : join(dirname(page), path);
        if (!existsSync(join(top, target))) return true;
        if (heading === undefined || statSync(join(top, target)).isDirectory()) return false;
        return ![...read(target).matchAll(/^#+ (.*)$/gm)].some(
          ([, text]) => slugOf(text) === heading,
        );
      })
      .map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(dead, []);
});

/** `docs/<page>.md` and the numbers behind it: "8", "8.1, 9", "6 to 9". */
const REFERENCE = /docs\/([\w-]+)\.md((?:,?\s(?:\/\/ )?(?:and |to )?\d+(?:\.\d+)?)*)/g;

/**
 * Numbers of a reference that the page has neither as a heading nor as a rule.
 * @param {string} page
 * @param {string} numbers
 */
function missingIn(page, numbers) {
  if (!existsSync(join(top, `docs/${page}.md`))) return ["the page"];
  const text = read(`docs/${page}.md`);
  return [...numbers.matchAll(/\d+(?:\.\d+)?/g)]
    .map(([number]) => number)
    .filter((number) => !text.includes(`\n## ${number}. `) && !text.includes(`\n- **${number}** `));
}

test("references of code and tests to numbered rules lead to them", () => {
  let count = 0;
  const wrong = ["src", "js", "wasm", "tools", "tests"]
    .flatMap((folder) => filesIn(folder, /\.(c|h|def|js|mjs|ts|md)$/))
    .filter((path) => path !== "tests/js/documents.test.mjs")
    .flatMap((path) =>
      [...read(path).matchAll(REFERENCE)].flatMap(([reference, page, numbers]) => {
        count++;
        return missingIn(page, numbers).map((what) => `${path}: ${reference}: ${what}`);
      }),
    );
  assert.deepEqual(wrong, []);
  assert.ok(count > 0);
  assert.deepEqual(missingIn("semantics", " 8, 99 to 8.77"), ["99", "8.77"]);
});

test("no comment points at a document that is not in the repository", () => {
  const NAMES = ["SEMANTICS", "DESIGN", "RELIABILITY", "PERFORMANCE", "HOUSE"];
  const pointing = new RegExp(
    `\\b(?:${NAMES.join("|")})(?:'s|\\s+(?:// )?\\d| promise| row|\\.md)`,
  );
  const files = ["src", "js", "wasm", "tools", "tests"]
    .flatMap((folder) => filesIn(folder, /\.(c|h|def|js|mjs|ts|md)$/))
    .filter((path) => path !== "tests/js/documents.test.mjs");
  for (const planted of [
    "(SEMANTICS 8)",
    "DESIGN's rule",
    "SEMANTICS\n// 19",
    "RELIABILITY promise 2",
    "PERFORMANCE rows 1",
  ])
    assert.match(planted, pointing);
  assert.deepEqual(
    files.filter((path) => pointing.test(read(path))),
    [],
  );
});
