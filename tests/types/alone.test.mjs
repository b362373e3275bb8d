// SPDX-License-Identifier: MIT
// Serves: declarations that need neither zod nor @langchain/core nor Node's types, with every
// library check on but that of the compiler's own. Under WEFT_LONG (`make check-long PART=types`)
// also with a worker's library and with a resolution that knows no exports.
import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { LONG } from "../proof/kit.mjs";
import { COMPILERS, problemsOf } from "./compilers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");

/** @type {string} */
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-types-"));
  const installed = join(folder, "node_modules/weftgraph");
  mkdirSync(installed, { recursive: true });
  cpSync(join(top, "package.json"), join(installed, "package.json"));
  cpSync(join(top, "js"), join(installed, "js"), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith(".d.ts"),
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** What a compiler says of files beside the package, which is installed by itself. */
function compile(compiler, name, files, config, options = []) {
  const project = join(folder, COMPILERS[compiler], name);
  mkdirSync(project, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  return problemsOf(compiler, project, config, ["--skipDefaultLibCheck", ...options]);
}

for (const compiler of Object.keys(COMPILERS))
  test(`code that uses the package where nothing else is installed compiles, and what it exports of its graphs can be declared: ${compiler}`, () => {
    const config = JSON.parse(readFileSync(join(here, "tsconfig.json"), "utf8"));
    Object.assign(config.compilerOptions, {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: ".",
      outDir: "types",
    });
    const files = Object.fromEntries(
      ["graph.ts", "expect.ts", "declared.ts"].map((file) => [
        file,
        readFileSync(join(here, file), "utf8"),
      ]),
    );
    assert.deepEqual(compile(compiler, "graph", files, config), []);
  });

const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const entries = Object.keys(exports).filter(
  (name) => typeof exports[name] === "object" && !name.startsWith("./zod"),
);
const ALL = {
  "all.ts": entries
    .map((name, index) => `export * as entry${index} from "weftgraph${name.slice(1)}";\n`)
    .join(""),
};
const CONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
    strict: true,
    noEmit: true,
  },
  include: ["all.ts"],
};
const node = ["--types", "node", "--typeRoots", join(top, "node_modules/@types")];
const PROJECTS = {
  "Node's types and none of the DOM": ["--lib", "es2022", ...node],
  "a worker's library": ["--lib", "es2022,webworker", "--exactOptionalPropertyTypes"],
  "a page's library": ["--lib", "es2022,dom", "--exactOptionalPropertyTypes"],
  "a resolution that knows no exports": [
    "--lib",
    "es2022",
    "--module",
    "commonjs",
    "--moduleResolution",
    "node10",
    ...node,
  ],
};

const QUICK = ["Node's types and none of the DOM", "a page's library"];
for (const [name, options] of Object.entries(PROJECTS))
  for (const compiler of Object.keys(COMPILERS)) {
    // TypeScript 7 has no such resolution.
    if (options.includes("node10") && compiler === "TypeScript 7") continue;
    test(
      `every entry with ${name}: ${compiler}`,
      { skip: LONG || QUICK.includes(name) ? false : "slow: make check-long PART=types" },
      () =>
        assert.deepEqual(
          compile(compiler, `entries-${Object.keys(PROJECTS).indexOf(name)}`, ALL, CONFIG, [
            ...["--skipLibCheck", "false"],
            ...options,
          ]),
          [],
        ),
    );
  }
