// SPDX-License-Identifier: MIT
// The layers of the studio (web-demo/src): the page's start uses the frame, this the screens, these
// <weft-studio> and what asks the worker; the worker's side has the samples and no views. Those of
// the documentation's site (site/), too. No file of the two is longer than 300 lines.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const top = join(checkout, "web-demo/src");
const MOST_LINES = 300;

/** The part that a file belongs to: the first pattern that fits. */
const PARTS = [
  ["start", /^main\.js$/],
  ["shell", /^shell\//],
  ["asking", /^worker\/(engine|open-worker)\.js$/],
  ["list", /^samples\/index\.js$/],
  ["graphs", /^samples\//],
  ["worker", /^worker\/|^screens\/\w+\/[\w-]*(-worker|program)\.js$/],
  ["screen", /^screens\//],
  ["models", /^models\//],
  // Shared: text that is made visible.
  ["helper", /^studio\/(text|message-text|reveal)\.js$/],
  ["studio", /^studio\//],
  ["page", /^front-ends\//],
];
const USES = {
  start: ["shell", "asking", "models"],
  shell: ["shell", "screen", "asking"],
  screen: ["screen", "studio", "asking", "list", "models", "helper"],
  studio: ["studio", "helper"],
  asking: ["asking"],
  list: [],
  models: ["models", "helper"],
  graphs: ["graphs", "models"],
  worker: ["worker", "graphs", "models"],
  helper: ["helper"],
  page: ["page", "asking", "helper"],
};

const partOf = (path) => PARTS.find(([, pattern]) => pattern.test(path))[0];

await init;
const files = readdirSync(top, { recursive: true })
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.replaceAll("\\", "/"));
/** @param {string} path @param {boolean} isOwn of the studio's own files alone */
const importsOf = (path, isOwn) =>
  parse(readFileSync(join(top, path), "utf8"))[0]
    .map(({ specifier, n }) => specifier ?? n ?? "")
    .filter((name) => !isOwn || name.startsWith("."))
    .map((name) => (name.startsWith(".") ? posix.join(posix.dirname(path), name) : name));
const imports = new Map(files.map((path) => [path, importsOf(path, true)]));
const everything = new Map(files.map((path) => [path, importsOf(path, false)]));

/** Imports that go where they must not: upwards, or from one screen into another. */
function wrong(all) {
  return [...all].flatMap(([from, targets]) =>
    targets
      .filter((to) => {
        const [part, used] = [partOf(from), partOf(to)];
        const [folder, other] = [from, to].map((path) => path.split("/").slice(0, -1).join("/"));
        const isShared = other === "screens";
        return (
          !USES[part].includes(used) ||
          (part === "screen" && used === "screen" && folder !== other && !isShared)
        );
      })
      .map((to) => `${from} imports ${to}`),
  );
}

test("each file imports its own part and those below it", () => {
  assert.ok(imports.size > 100);
  assert.deepEqual(wrong(imports), []);
});

test("a planted import upwards, into another screen or of a graph is found", () => {
  for (const [from, to] of [
    ["studio/store.js", "screens/start/view.js"],
    ["studio/store.js", "worker/engine.js"],
    ["screens/start/view.js", "screens/inbox/index.js"],
    ["screens/start/view.js", "samples/orders.js"],
    ["screens/start/view.js", "shell/router.js"],
    ["worker/worker.js", "studio/text.js"],
    ["worker/engine.js", "samples/index.js"],
  ]) {
    assert.ok(imports.has(from) && imports.has(to), `${from}, ${to}`);
    const planted = new Map(imports).set(from, [...imports.get(from), to]);
    assert.deepEqual(wrong(planted), [`${from} imports ${to}`]);
  }
});

/**
 * What a file needs of others, and of packages.
 * @param {string} file @param {Map<string, string[]>} all
 */
function needs(file, all, found = new Set()) {
  for (const name of all.get(file) ?? []) if (!found.has(name)) needs(name, all, found.add(name));
  return [...found];
}
const isView = (name) => /^lit\b|-view\.js$/.test(name);
const STORES = ["studio/store.js", "screens/inbox/desk.js", "shell/waiting.js"];

test("stores need no view", () => {
  for (const store of STORES) {
    assert.ok(everything.has(store), store);
    assert.deepEqual(needs(store, everything).filter(isView), [], store);
  }
});

test("a view that a store needs, also by another file, is found", () => {
  const planted = new Map(everything).set("studio/message-text.js", ["lit-html"]);
  assert.deepEqual(needs("studio/store.js", planted).filter(isView), ["lit-html"]);
});

/** Files of a folder that the repository has, or will have. @param {string} folder */
const sourcesIn = (folder) =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", folder], {
    cwd: checkout,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => /\.(js|mjs|ts|tsx|vue|css|html)$/.test(path));

test(`no file of web-demo/ or site/ has more than ${MOST_LINES} lines`, () => {
  const all = [...sourcesIn("web-demo"), ...sourcesIn("site")];
  assert.ok(all.length > 150, `${all.length} files`);
  const linesOf = (path) => readFileSync(join(checkout, path), "utf8").trimEnd().split("\n").length;
  assert.deepEqual(
    all.filter((path) => linesOf(path) > MOST_LINES).map((path) => `${path}: ${linesOf(path)}`),
    [],
  );
});

/** The part of site/ that a file belongs to, and what of elsewhere it may use. */
const SITE_PARTS = [
  ["build", /^site\/(build|serve|\.vitepress\/config)\.mjs$/],
  ["theme", /^site\/\.vitepress\/theme\//],
  ["bundle", /^site\/run\/bundle\.mjs$/],
  ["run", /^site\/run\//],
  ["reference", /^site\/reference\//],
  ["pages", /^site\/\w+\.mjs$/],
  ["gathered", /^site\/build\//],
  ["programs", /^tests\/js\/guides\.mjs$/],
  ["studio's policy", /^web-demo\/policy\.mjs$/],
  ["studio and its pictures", /^(web-demo|js)\//],
];
const SITE_USES = {
  build: ["reference", "bundle", "pages", "studio and its pictures"],
  // They run in a page.
  theme: ["theme", "gathered"],
  run: ["run"],
  bundle: ["run", "pages"],
  reference: ["reference", "pages", "programs"],
  pages: ["pages", "programs", "studio's policy"],
};
const sitePartOf = (path) => SITE_PARTS.find(([, pattern]) => pattern.test(path))?.[0];

/** @param {string} path @returns {string[]} the files that it imports */
function siteImports(path) {
  const text = readFileSync(join(checkout, path), "utf8");
  const code = path.endsWith(".vue") ? text.split(/<script[^>]*>|<\/script>/)[1] : text;
  return parse(code)[0].flatMap(({ n }) =>
    n?.startsWith(".") ? [posix.join(posix.dirname(path), n)] : [],
  );
}

const wrongInSite = (all) =>
  [...all].flatMap(([from, targets]) =>
    targets
      .filter((to) => !SITE_USES[sitePartOf(from)].includes(sitePartOf(to)))
      .map((to) => `${from} imports ${to}`),
  );

test("site/: the build uses the reference and the pages; what runs in a page uses neither", () => {
  const paths = sourcesIn("site").filter((path) => /\.(js|mjs|vue)$/.test(path));
  const all = new Map(paths.map((path) => [path, siteImports(path)]));
  assert.ok(all.size > 20, `${all.size} files`);
  assert.deepEqual(
    paths.filter((path) => sitePartOf(path) === undefined),
    [],
  );
  assert.deepEqual(wrongInSite(all), []);
  for (const [from, to] of [
    ["site/pages.mjs", "site/reference/pages.mjs"],
    ["site/run/worker.js", "site/pages.mjs"],
    ["site/.vitepress/theme/run.js", "js/index.js"],
    ["site/reference/uses.mjs", "site/build.mjs"],
  ])
    assert.deepEqual(wrongInSite(new Map([[from, [to]]])), [`${from} imports ${to}`]);
});
