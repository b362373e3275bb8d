// SPDX-License-Identifier: MIT
// What a model's service wants back unchanged (signatures, encrypted reasoning, ids of items) goes
// back so from every runtime: threads begun in Node go on in workerd, Deno, Bun and Node.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { MemorySaver } from "weftgraph";
import { OPAQUE } from "../js/models-matrix/kit.mjs";
import { USAGE, call } from "../js/models-matrix/kit.mjs";
import { THREADS, turnOf } from "./models-handover-turn.mjs";
import { bundleModule, bundleWorker } from "./smoke-bundle.mjs";
import { runIn } from "./smoke-runtimes.mjs";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const JOURNEY = ["Node", "workerd", "Deno", "Bun", "Node"];

/** The service's answer in a turn: each has opaque parts of its own. */
const answerIn = (turn) => ({
  reasoning: "Hm, so be it.",
  opaque: OPAQUE + "≠".repeat(turn),
  text: "I look.",
  calls: [call(`c${turn}`, "weather", { city: "Oslo" })],
  usage: USAGE,
});

/** Plays the services on a port of this machine, and keeps threads. */
async function startServer(t) {
  /** Bodies of requests by thread. @type {Map<string, string[]>} */
  const asked = new Map();
  const threads = new Map();
  const server = createServer(async (request, response) => {
    const [, kind, path, query] = /^\/(\w+)\/([\w-]+\/\w+)(?:\?(.*))?$/.exec(request.url);
    const body = await buffer(request);
    if (kind === "threads") {
      if (request.method === "PUT") threads.set(path, body);
      const file = threads.get(path);
      return response.writeHead(file ? 200 : 404).end(file);
    }
    const bodies = asked.get(path) ?? [];
    asked.set(path, [...bodies, body.toString()]);
    const column = THREADS.get(path);
    const answer = answerIn(bodies.length);
    const url = decodeURIComponent(query);
    if (!column.request.isStream({ url, body: JSON.parse(body) })) {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify(column.whole(answer)));
    }
    response.setHeader("content-type", column.contentType ?? "text/event-stream");
    for (const event of column.stream(answer)) response.write(event);
    response.end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

test("opaque parts go back byte-equal from runtime to runtime", { timeout: 600_000 }, async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-handover-"));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const program = join(folder, "turn.mjs");
  await fs.writeFile(program, await bundleModule(fileOf("models-handover-main.mjs")));
  const modules = await bundleWorker(fileOf("models-handover-worker.mjs"));
  const worker = new Miniflare({ modules, compatibilityDate: "2026-01-01" });
  t.after(() => worker.dispose());

  const wandering = await startServer(t);
  for (const runtime of JOURNEY) {
    const { url } = wandering;
    const said =
      runtime === "workerd"
        ? await (await worker.dispatchFetch(`http://turn/?${encodeURIComponent(url)}`)).text()
        : await runIn(runtime, folder, program, url);
    assert.equal(said, "done", runtime);
  }
  const staying = await startServer(t);
  for (const path of THREADS.keys()) {
    const saver = new MemorySaver();
    for (const _ of JOURNEY) await turnOf(staying.url, path, saver);
  }

  assert.ok(["anthropic", "responses", "gemini"].every((name) => THREADS.has(`${name}/stream`)));
  for (const [path, column] of THREADS)
    await t.test(path, () => {
      const bodies = wandering.asked.get(path);
      assert.equal(bodies.length, JOURNEY.length);
      for (const [turn, body] of bodies.entries()) {
        const due = Array.from({ length: turn }, (_, at) => column.opaque(answerIn(at)));
        const sent = column.request.opaque(JSON.parse(body));
        assert.equal(JSON.stringify(sent), JSON.stringify(due.flat()), JOURNEY[turn]);
        assert.ok(sent.length >= turn, JOURNEY[turn]);
      }
      assert.deepEqual(bodies, staying.asked.get(path), "as from a thread that stays in Node");
    });
});
