// SPDX-License-Identifier: MIT
// Serves docs/guides/models.md: in Node, limits of time keep a process alive while it waits for a
// model, and no longer. Each program is a process of its own, which nothing else keeps alive.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startOpenAIServer } from "./openai-server.mjs";

/** A program that stays alive is ended then; the client's own limits are 10 minutes and more. */
const MOST_MS = 60_000;
const IMPORT = 'import { ChatOpenAICompatible } from "weftgraph/models/openai";';

/** Runs a program. @param {string} program @param {(text: string) => void} [onPrint] */
async function run(program, onPrint = () => {}) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", IMPORT + program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
    timeout: MOST_MS,
  });
  let printed = "";
  child.stdout.on("data", (data) => {
    printed += data;
    onPrint(printed);
  });
  const [code, signal] = await new Promise((resolve) =>
    child.on("close", (...ended) => resolve(ended)),
  );
  return { code, signal, printed };
}

/** Takes the first piece of an answer, and neither reads on nor leaves. */
const dropping = (url) => `
  const model = new ChatOpenAICompatible({ baseURL: ${JSON.stringify(url)}, model: "m" });
  const pieces = (await model.stream("x"))[Symbol.asyncIterator]();
  console.log((await pieces.next()).value.content);`;

test("an answer that nobody reads to its end does not keep a process alive", async (t) => {
  const server = await startOpenAIServer({ script: ["one two three"] });
  t.after(() => server.close());
  const { code, signal, printed } = await run(dropping(server.url));
  assert.deepEqual([code, signal, printed.trim()], [0, null, "one"]);
});

test("after it, a process lives until the service's connection ends, and no longer", async (t) => {
  const piece = { choices: [{ index: 0, delta: { content: "one" } }] };
  const server = await startOpenAIServer({
    script: [{ raw: [`data: ${JSON.stringify(piece)}\n\n`], end: "hang" }],
  });
  t.after(() => server.close());
  let isClosed = false;
  const leave = async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    isClosed = true;
    await server.close();
  };
  const { code, signal } = await run(dropping(server.url), leave);
  assert.deepEqual([code, signal, isClosed], [0, null, true]);
});

for (const [place, answer, wait] of [
  ["before the answer", "new Promise(() => {})", "model.invoke('x')"],
  [
    "within it",
    "new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))",
    "model.stream('x').next()",
  ],
])
  for (const [limit, told] of [
    ["timeout: 300", /silent for 300 ms/],
    ["maxDurationMs: 300", /longer than 300 ms/],
  ])
    test(`a silent service ${place} is waited for until ${limit}, with nothing else to do`, async () => {
      const { code, printed } = await run(`
        const options = { baseURL: "http://unused.test", model: "m", maxRetries: 0, ${limit} };
        const model = new ChatOpenAICompatible({ ...options, fetch: async () => ${answer} });
        console.log(await ${wait}.catch(({ message }) => message));`);
      assert.match(printed, told);
      assert.equal(code, 0);
    });
