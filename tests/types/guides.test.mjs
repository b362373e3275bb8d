// SPDX-License-Identifier: MIT
// The programs of README.md, the guides and the declarations compile with the strictest options of
// TypeScript that people use, over the declarations that npm packs; where @langchain/core is
// installed, and where it is not. So do the examples. By TypeScript 7, under WEFT_LONG (`make
// check-long PART=types`) by TypeScript 5 too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { blocksOf, declarations, guides, isProgram, top } from "../js/guides.mjs";
import { COMPILERS, USED, problemsOf } from "./compilers.mjs";

const OPTIONS = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"],
  types: ["node"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  // What a runtime or a bundler needs that strips the types and looks no further.
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  allowImportingTsExtensions: true,
};
const programs = [...guides, ...declarations].flatMap(blocksOf).filter(isProgram);
const needsCore = ({ text }) => text.includes('"@langchain/');
/** @type {string[]} */
let packed;
/** @type {string} */
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-guides-"));
  const [report] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: top,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  packed = report.files
    .map(({ path }) => path)
    .filter((path) => path === "package.json" || path.endsWith(".d.ts"));
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** A folder where these packages are installed beside weftgraph. */
function install(name, installed) {
  const at = join(folder, name);
  const modules = join(at, "node_modules");
  for (const path of packed) {
    mkdirSync(dirname(join(modules, "weftgraph", path)), { recursive: true });
    cpSync(join(top, path), join(modules, "weftgraph", path));
  }
  for (const name of installed) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(top, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(at, "package.json"), '{ "type": "module" }');
  return at;
}

/** The compilers' problems with files of such a folder. */
function check(at, files) {
  const config = { compilerOptions: { ...OPTIONS, typeRoots: ["../node_modules/@types"] }, files };
  return USED.flatMap((compiler) => problemsOf(compiler, join(at, COMPILERS[compiler]), config));
}

/**
 * Problems as `page:line TScode text`, of programs that are compiled where these packages are
 * installed.
 */
function compile(name, programs, installed) {
  const at = install(name, installed);
  for (const program of programs) writeFileSync(join(at, `${program.name}.ts`), program.text);
  return check(
    at,
    programs.map((program) => join(at, `${program.name}.ts`)),
  ).map((problem) => {
    const [, name, line, text] = /([^/]+)\.ts\((\d+),\d+\): error (.*)$/.exec(problem) ?? [];
    const program = programs.find((one) => one.name === name);
    return program === undefined
      ? problem
      : `${program.page}:${program.line + Number(line)} ${text}`;
  });
}

/** Packages that programs import besides. */
const OTHERS = [
  "zod",
  "@types/node",
  "@modelcontextprotocol/server",
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace-base",
];

test("programs of the guides compile where @langchain/core is not installed", () => {
  assert.ok(programs.length > 60);
  assert.deepEqual(
    compile(
      "alone",
      programs.filter((program) => !needsCore(program)),
      OTHERS,
    ),
    [],
  );
});

test("programs of the guides compile where @langchain/core is installed", () => {
  assert.deepEqual(compile("core", programs, [...OTHERS, "@langchain/core"]), []);
});

test("a program of a guide with a wrong type is found, at its line", () => {
  const wrong = {
    ...programs[0],
    text: 'import { END } from "weftgraph";\nconst wrong: number = END;\nconsole.log(wrong);\n',
  };
  const problems = compile("wrong", [wrong], ["@types/node"]);
  assert.equal(problems.length, USED.length);
  for (const problem of problems)
    assert.match(problem, new RegExp(`^${wrong.page}:${wrong.line + 2} TS2322`));
});

// What `wrangler types` says of the platform, as far as the example uses it.
const PLATFORM = `declare module "cloudflare:workers" {
  export class DurableObject<Env> { constructor(ctx: DurableObjectState, env: Env); ctx: DurableObjectState; env: Env }
}
interface DurableObjectState { storage: import("weftgraph/savers/durable-object").SqlStorage }
interface DurableObjectNamespace { idFromName(name: string): object; get(id: object): { fetch(request: Request): Promise<Response> } }
`;

test("the examples compile", () => {
  const at = install("examples", ["@types/node"]);
  for (const name of ["agent", "cloudflare"])
    cpSync(join(top, "examples", name), join(at, name), { recursive: true });
  writeFileSync(join(at, "platform.d.ts"), PLATFORM);
  assert.deepEqual(
    check(at, [join(at, "cloudflare/src/worker.ts"), join(at, "platform.d.ts")]),
    [],
  );
});
