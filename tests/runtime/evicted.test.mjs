// SPDX-License-Identifier: MIT
// T8 in real Durable Objects: one is reset, or its process killed, while its tools run, after their
// server did what they ask. Then one call is asked about, the idempotent one is made again with its
// key, and what finished is not.
import { test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { bundleWorker, workerdIds } from "./smoke-bundle.mjs";

const entry = fileURLToPath(new URL("evicted-worker.mjs", import.meta.url));

/**
 * A server that notes what is asked of it; it answers tools of its own accord when `answers` says
 * so.
 */
async function startServer() {
  const state = { asked: [], answers: () => true, heard: () => {} };
  const server = createServer(async (request, response) => {
    const name = request.url.slice(1);
    state.asked.push(`${name} ${Buffer.concat(await request.toArray())}`);
    if (state.answers(name)) response.end(`${name} is done`);
    state.heard();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    state,
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

for (const how of ["reset", "killed"]) {
  test(`T8: a Durable Object ${how} while its tools run`, { timeout: 120_000 }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-evicted-"));
    const { state, url, close } = await startServer();
    const modules = await bundleWorker(entry);
    const open = async () => {
      const made = new Miniflare({
        modules,
        compatibilityDate: "2026-01-01",
        durableObjects: { THREAD: { className: "Thread", useSQLite: true } },
        durableObjectsPersist: folder,
        bindings: { SERVER: url },
      });
      await made.ready;
      return made;
    };
    let worker = await open();
    t.after(async () => {
      await worker.dispose();
      close();
      await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    const ask = async (verb, body = "") => {
      const answer = await worker.dispatchFetch(`http://thread/${verb}`, { method: "POST", body });
      return { ok: answer.ok, text: await answer.text() };
    };
    const evict = async () => {
      if (how === "reset") return ask("evict");
      for (const id of await workerdIds()) process.kill(id, "SIGKILL");
      await worker.dispose().catch(() => {});
      worker = await open();
    };
    /** Goes on until the server was asked so often, and evicts. */
    const goAndEvict = async (body, count) => {
      const asked = new Promise(
        (resolve) => (state.heard = () => state.asked.length === count && resolve()),
      );
      const gone = ask("go", body).then(
        ({ ok, text }) => assert.equal(ok, false, text),
        () => {},
      );
      await Promise.race([
        asked,
        gone.then(() => assert.equal(state.asked.length, count, "it ended before its tools ran")),
      ]);
      await evict();
      await gone;
    };

    // Neither is answered.
    state.answers = () => false;
    await goAndEvict("", 2);
    let found = JSON.parse((await ask("state")).text);
    assert.deepEqual(
      found.messages.map((line) => line.split(" ")[0]),
      ["human", "ai"],
    );
    // Whether it was paid nobody knows: it is asked about. The other is made again, and evicted
    // once more.
    state.answers = (name) => name !== "note";
    await goAndEvict("null", 3);
    state.answers = () => true;
    found = JSON.parse((await ask("go", "null")).text);
    assert.deepEqual(
      found.waiting.map(({ kind, call }) => [kind, call]),
      [["unknown_tool_call", "c1"]],
    );
    const [[paid], notes] = [/^pay/, /^note/].map((name) =>
      state.asked.filter((line) => name.test(line)),
    );
    assert.ok(paid);
    assert.deepEqual([state.asked.length, notes.length, new Set(notes).size], [4, 3, 1], "one key");
    await evict();
    found = JSON.parse(
      (
        await ask(
          "go",
          JSON.stringify({ [found.waiting[0].id]: { type: "response", args: "it was paid" } }),
        )
      ).text,
    );
    assert.deepEqual(found.waiting, []);
    assert.deepEqual(
      found.messages.map((line) => line.split(" ")[0]),
      ["human", "ai", "tool", "tool", "ai"],
    );
    assert.match(found.messages[2], /it was paid/);
    assert.equal(found.messages[3], "tool note is done");
    assert.equal(state.asked.length, 4, "T8: nothing ran again");
  });
}
