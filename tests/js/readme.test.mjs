// SPDX-License-Identifier: MIT
// Runs the programs of README.md, docs/guides and the declarations as their readers would: ```ts in
// Node, without its types, ```ts page bundled for browsers, over an IndexedDB in memory. Each
// prints what the ```text block after it says. ```ts file=path (or tsx, js, svelte) stands in that
// file, which a test of its own runs. That they compile is tested in tests/types. Links between the
// pages lead somewhere.
// Own process: takes as long as many other files.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { blocksOf, declarations, guides, isProgram, pagesIn, top } from "./guides.mjs";
import { startOpenAIServer } from "./openai-server.mjs";

const run = promisify(execFile);
const pages = [
  ...guides,
  "CHANGELOG.md",
  ...pagesIn("docs"),
  ...["", "agent-server/", "cloudflare/", "deno/"].map((folder) => `examples/${folder}README.md`),
  "web-demo/README.md",
];
// Inside the checkout, whose packages programs find there.
const folder = join(top, "build/readme");

/** The package as npm packs it, where an entry is few files: programs begin twice as fast. */
async function install() {
  const js = join(folder, "node_modules/weftgraph/js");
  mkdirSync(js, { recursive: true });
  for (const name of readdirSync(join(top, "js")))
    if (name !== "node") symlinkSync(join(top, "js", name), join(js, name));
  cpSync(join(top, "package.json"), join(js, "../package.json"));
  // Else the checkout is what `weftgraph` names.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await run(process.execPath, [join(top, "tools/node.mjs"), join(js, "node")]);
}

/**
 * The program without its types: nothing else changes, so an import that only names a type has to
 * say so.
 * @param {string} text
 */
async function stripTypes(text) {
  const { code, warnings } = await transform(text, {
    loader: "ts",
    target: "esnext",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  assert.deepEqual(warnings, []);
  return code;
}

/**
 * @param {string} program
 * @returns {Promise<string>} what it brings a browser to load, with an IndexedDB before it
 */
async function bundle(program) {
  const entry = program.replace(/\.mjs$/, ".page.mjs");
  writeFileSync(
    entry,
    `import "fake-indexeddb/auto";\nawait import(${JSON.stringify(program)});\n`,
  );
  const outfile = program.replace(/\.mjs$/, ".bundle.mjs");
  const { warnings } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: ["browser"],
    logLevel: "silent",
  });
  assert.deepEqual(
    warnings.map(({ text }) => text),
    [],
  );
  return outfile;
}

let server;
before(async () => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  await install();
  server = await startOpenAIServer({
    script: ({ body }) =>
      body.response_format === undefined ? "Paris." : '{"city":"Paris","population":2100000}',
  });
});
after(() => server?.close());

const blocks = guides.flatMap(blocksOf);

test("there are programs to run in README.md and in every guide", () => {
  for (const page of guides)
    if (page !== "docs/guides/names.md")
      assert.ok(
        blocks.some((block) => block.page === page),
        page,
      );
  assert.ok(
    blocks.filter(({ page, output }) => page === "README.md" && output !== undefined).length > 0,
  );
});

// Each is a process of its own.
test("each program of README and the guides compiles, and prints what stands below it", {
  concurrency: availableParallelism(),
}, async (t) => {
  const each = (block) =>
    t.test(`${block.page}:${block.line}`, { timeout: 600_000 }, async (t) => {
      const { info, text, output, name } = block;
      const file = /^(?:tsx?|js|svelte) file=(\S+)$/.exec(info)?.[1];
      if (file !== undefined)
        return assert.ok(
          readFileSync(join(top, file), "utf8").includes(text),
          `the block is not in ${file}`,
        );
      assert.ok(isProgram(block), `\`\`\`${info}: a program is \`\`\`ts or \`\`\`ts page`);
      assert.ok(output !== undefined, "no ```text block says what it prints");
      const program = join(folder, `${name}.mjs`);
      writeFileSync(program, await stripTypes(text));
      const cwd = mkdtempSync(join(tmpdir(), "weft-readme-"));
      t.after(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5 }));
      const env = {
        ...process.env,
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: "key",
        OPENAI_MODEL: "model",
      };
      const { stdout } = await run(
        process.execPath,
        [info === "ts page" ? await bundle(program) : program],
        { cwd, env },
      );
      assert.equal(stdout, output);
    });
  await Promise.all(blocks.map(each));
});

test("each example of the declarations prints what stands below it; a part of one says so", async () => {
  const all = declarations.flatMap(blocksOf);
  const examples = all.filter(isProgram);
  assert.deepEqual(
    all.filter((block) => !isProgram(block) && block.info !== "ts part"),
    [],
  );
  assert.ok(examples.length > 90, `${examples.length} examples`);
  const paths = await Promise.all(
    examples.map(async ({ name, text }) => {
      const path = join(folder, `${name}.mjs`);
      writeFileSync(path, await stripTypes(text));
      return path;
    }),
  );
  const runner = join(top, "tests/js/run-programs.mjs");
  const { stdout } = await run(process.execPath, [runner, ...paths], { maxBuffer: 1 << 24 });
  const outputs = JSON.parse(stdout);
  for (const [at, { page, line, output }] of examples.entries())
    assert.equal(outputs[at], output, `${page}:${line}`);
});

test("examples in comments of the declarations are programs or parts, never bare code", () => {
  const bare = declarations.flatMap((path) =>
    [...readFileSync(join(top, path), "utf8").matchAll(/@example *\n *\* (?!```)(.*)/g)].map(
      ([, line]) => `${path}: ${line}`,
    ),
  );
  assert.deepEqual(bare, []);
});

// As many digits as the page shows.
const isNear = (shown, value) =>
  Math.abs(Number(shown) - value) <= 0.501 / 10 ** (shown.split(".")[1] ?? "").length;

test("the figures of the README are those of the last benchmark", () => {
  const readme = readFileSync(join(top, "README.md"), "utf8");
  const { rows } = JSON.parse(readFileSync(join(top, "tests/bench/results.json"), "utf8"));
  const rowOf = (start) => rows.find(({ name }) => name.startsWith(start)) ?? assert.fail(start);
  const answers = "first answer of an agent in";
  const measured = [
    "what the page of these answers loads",
    `${answers} Chromium, plain`,
    `${answers} Chromium, slow`,
    `${answers} Chromium, second visit`,
    "longest task of the main thread",
    `${answers} workerd`,
    `${answers} Node, one bundle`,
    `${answers} Node, installed`,
    "chain, 100 nodes",
    "chain + MemorySaver, 100 nodes",
    "loop, 1,000 steps",
    "loop, 1,000 steps + MemorySaver",
    "long run, at 1000 messages",
    "fan-out, 1000 Sends",
    "ReAct agent, one tool call",
    "ReAct agent, one tool call + MemorySaver",
    "createAgent, three middlewares",
    "browser bundle: ReAct agent",
  ];
  const shown = [...readme.matchAll(/^\| [^|]* \| ([\d.,]+) \| ([\d.,]+) \| ([\d.]+)x \|$/gm)];
  assert.equal(shown.length, measured.length);
  for (const [at, [line, ...figures]] of shown.entries()) {
    const { weft, langgraph, ratio } = rowOf(measured[at]);
    for (const [of, value] of [weft, langgraph, ratio].entries())
      assert.ok(isNear(figures[of].replace(",", ""), value), `${line}: ${value}`);
  }
  const page = Math.round(rowOf("browser bundle: the same").weft);
  assert.equal(readme.split(` ${page} kB`).length, 2, `the page with JSON Schema has ${page} kB`);
  const [, times, put] = /in (\S+) times the time of one durable put \((\S+) ms\)/.exec(readme);
  const saved = rowOf("Chromium: IDBFS, a step of 1 KB saved, 1 thread");
  assert.ok(
    isNear(times, saved.ratio) && isNear(put, saved.limit),
    `a step is saved in ${saved.ratio} of ${saved.limit} ms`,
  );
  assert.ok(
    isNear(/takes (\S+) times its text/.exec(readme)[1], rowOf("stored at 1999 messages").weft),
  );
  const performance = readFileSync(join(top, "docs/guides/performance.md"), "utf8");
  assert.ok(
    isNear(
      /1 KB takes (\S+) times the time of one row/.exec(performance)[1],
      rowOf("Durable Object, a saved step of 1 KB: its record").ratio,
    ),
  );
  assert.ok(isNear(/\| (\d+) times \|/.exec(readme)[1], rowOf("Bun: chain, 10 nodes").ratio));
});

/**
 * The anchors of a page's headings, as GitHub makes them.
 * @param {string} page
 * @returns {Set<string>}
 */
function anchorsOf(page) {
  const text = readFileSync(join(top, page), "utf8").replace(/^ *```[^]*?^ *```$/gm, "");
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("links between the pages lead to a file, and to a heading where they name one", () => {
  const dead = pages.flatMap((page) => {
    const links = [
      ...readFileSync(join(top, page), "utf8").matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
    ];
    const isDead = ([, path, anchor]) => {
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(top, target))) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).has(anchor);
    };
    return links.filter(isDead).map(([link]) => `${page} -> ${link.slice(2, -1)}`);
  });
  assert.deepEqual(dead, []);
});

test("the import maps of a page without a bundler and of Deno's examples name what the package does", () => {
  const read = (path) => readFileSync(join(top, path), "utf8");
  const { exports, imports } = JSON.parse(read("package.json"));
  for (const [text, prefix] of [
    [
      /<script type="importmap">([^<]*)</.exec(read("docs/guides/browser.md"))[1],
      "/node_modules/weftgraph/",
    ],
    [read("examples/agent-server/deno.json"), "../../"],
    [read("examples/deno/deno.json"), "../../"],
  ]) {
    const shown = Object.entries(JSON.parse(text).imports).map(([name, path]) => [
      name,
      path.replace(prefix, "./"),
    ]);
    assert.deepEqual(
      shown,
      shown.map(([name]) => [
        name,
        name.startsWith("#")
          ? imports[name].default
          : exports[name.replace("weftgraph", ".")].default,
      ]),
    );
    assert.deepEqual(
      shown.map(([name]) => name).filter((name) => name.startsWith("#")),
      Object.keys(imports),
    );
  }
});
