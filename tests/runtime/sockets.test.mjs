// SPDX-License-Identifier: MIT
// The SDK's WebSocket transport against servers in Deno and in a Worker, which make sockets of
// requests each in their own way.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@langchain/langgraph-sdk";
import { Miniflare } from "miniflare";
import { WebSocket } from "ws";
import { bundleWorker } from "./smoke-bundle.mjs";

const main = fileURLToPath(new URL("sockets-main.mjs", import.meta.url));
const deno = fileURLToPath(new URL("../../node_modules/.bin/deno", import.meta.url));

/** @param {string[]} [words] @returns how Deno serves it */
const inDeno = (words = []) =>
  async function start(t, folder) {
    const options = ["run", "--quiet", "--no-lock", "--node-modules-dir=none", "-A", main];
    const env = { ...process.env, DENO_DIR: join(folder, "deno"), NO_COLOR: "1" };
    const program = spawn(deno, [...options, ...words], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => program.kill());
    const [port] = await once(program.stdout, "data");
    return `http://127.0.0.1:${Number(port)}`;
  };

const HOSTS = {
  Deno: inDeno(),
  "Deno, within a handler": inDeno(["wrapped"]),
  async "a Worker"(t) {
    const modules = await bundleWorker(main);
    const worker = new Miniflare({ modules, compatibilityDate: "2026-01-01" });
    t.after(() => worker.dispose());
    return (await worker.ready).origin;
  },
};

for (const [host, start] of Object.entries(HOSTS))
  test(`a thread on a socket of ${host} asks, is answered and ends`, {
    timeout: 120_000,
  }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-sockets-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const client = new Client({ apiUrl: await start(t, folder) });
    const thread = client.threads.stream({
      assistantId: "asking",
      transport: "websocket",
      webSocketFactory: (url) => new WebSocket(url),
    });
    await thread.run.start({ input: {} });
    for (let tries = 0; !thread.interrupted && tries < 1000; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const [{ interruptId, namespace, payload }] = thread.interrupts;
    assert.equal(payload, "which?");
    await thread.input.respond({ namespace, interrupt_id: interruptId, response: "this" });
    for await (const { said } of thread.values) if (said === "this") break;
    await thread.close();
  });
