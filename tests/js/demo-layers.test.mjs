// SPDX-License-Identifier: MIT
// The layers of the studio (web-demo/src): the page's start uses the frame, this the screens, these
// <weft-studio> and what asks the worker; the worker's side has the samples and no views.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";

const top = fileURLToPath(new URL("../../web-demo/src/", import.meta.url));

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
  ["helper", /^studio\/(text|reveal)\.js$/],
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
const imports = new Map(
  files.map((path) => [
    path,
    parse(readFileSync(join(top, path), "utf8"))[0].flatMap(({ specifier, n }) => {
      const name = specifier ?? n;
      return name?.startsWith(".") ? [posix.join(posix.dirname(path), name)] : [];
    }),
  ]),
);

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
