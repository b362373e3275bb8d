// SPDX-License-Identifier: MIT
// Serves: declarations that need neither zod nor @langchain/core nor Node's types, with every
// library check on but that of the compiler's own. Under WEFT_LONG (`make check-long PART=types`)
// also with a worker's library and with a resolution that knows no exports.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
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
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LONG } from "../proof/kit.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");

/** Installed by itself, with a program and the compiler's options; what the compiler says. */
function compile(files, options) {
  const folder = mkdtempSync(join(tmpdir(), "weft-types-"));
  try {
    const installed = join(folder, "node_modules/weftgraph");
    mkdirSync(installed, { recursive: true });
    cpSync(join(top, "package.json"), join(installed, "package.json"));
    cpSync(join(top, "js"), join(installed, "js"), {
      recursive: true,
      filter: (path) => statSync(path).isDirectory() || path.endsWith(".d.ts"),
    });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const { status, stdout, error } = spawnSync(
      process.execPath,
      [
        join(top, "node_modules/typescript/bin/tsc"),
        "-p",
        folder,
        "--skipDefaultLibCheck",
        ...options,
      ],
      { encoding: "utf8" },
    );
    assert.ifError(error);
    return { status, stdout };
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
}

test("code that uses the package where nothing else is installed compiles, and what it exports of its graphs can be declared", () => {
  const config = JSON.parse(readFileSync(join(here, "tsconfig.json"), "utf8"));
  Object.assign(config.compilerOptions, {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: "types",
  });
  const files = Object.fromEntries(
    ["graph.ts", "expect.ts", "declared.ts"].map((file) => [
      file,
      readFileSync(join(here, file), "utf8"),
    ]),
  );
  assert.deepEqual(compile({ ...files, "tsconfig.json": JSON.stringify(config) }, []), {
    status: 0,
    stdout: "",
  });
});

const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const entries = Object.keys(exports).filter(
  (name) => typeof exports[name] === "object" && !name.startsWith("./zod"),
);
const ALL = {
  "all.ts": entries
    .map((name, index) => `export * as entry${index} from "weftgraph${name.slice(1)}";\n`)
    .join(""),
  "tsconfig.json":
    '{ "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true }, "include": ["all.ts"] }',
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
for (const [name, options] of Object.entries(PROJECTS)) {
  test(
    `every entry with ${name}`,
    { skip: LONG || QUICK.includes(name) ? false : "slow: make check-long PART=types" },
    () =>
      assert.deepEqual(compile(ALL, ["--skipLibCheck", "false", ...options]), {
        status: 0,
        stdout: "",
      }),
  );
}
