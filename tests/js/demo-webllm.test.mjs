// SPDX-License-Identifier: MIT
// The studio's model in the tab, with a stand-in for WebLLM: what cancelling does before, during
// and after a download.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { build } from "esbuild";

const FAKE = `
export const hasModelInCache = async () => false;
export class MLCEngine {
  reload(id) {
    return new Promise((resolve, reject) => {
      globalThis.told.push("load " + id);
      this.id = id;
      this.end = reject;
      globalThis.finish = resolve;
    });
  }
  async unload() {
    globalThis.told.push("unload " + this.id);
    this.end?.(new Error("unloaded"));
  }
}`;
const fake = {
  name: "fake",
  setup(on) {
    on.onResolve({ filter: /^@mlc-ai/ }, () => ({ path: "fake", namespace: "fake" }));
    on.onLoad({ filter: /./, namespace: "fake" }, () => ({ contents: FAKE }));
  },
};
const built = await build({
  entryPoints: ["web-demo/src/models/webllm.js"],
  bundle: true,
  format: "esm",
  write: false,
  plugins: [fake],
});
let studio;
let told;

/** Waits until the stand-in was told so. */
async function until(what) {
  while (!told.includes(what)) await new Promise(setImmediate);
}

beforeEach(async () => {
  told = globalThis.told = [];
  const text = `${built.outputFiles[0].text}\n// ${Math.random()}`;
  studio = await import(`data:text/javascript,${encodeURIComponent(text)}`);
});

test("a download that is cancelled ends, and another can begin", async () => {
  const first = studio.loadWebllm("A");
  await until("load A");
  studio.cancelWebllm();
  await assert.rejects(first, { code: "CANCELLED" });
  const second = studio.loadWebllm("B");
  await until("load B");
  globalThis.finish();
  await second;
  assert.deepEqual(told, ["load A", "unload A", "load B"]);
});

test("cancelled too late, when the model is there: it stays", async () => {
  const loading = studio.loadWebllm("A");
  await until("load A");
  globalThis.finish();
  await loading;
  studio.cancelWebllm();
  await loading;
  assert.deepEqual(told, ["load A"]);
});

test("cancelled before its download began, while another model's goes on: none begins", async () => {
  const first = studio.loadWebllm("A");
  await until("load A");
  const second = studio.loadWebllm("B");
  // Its turn comes when the other one's is over.
  await new Promise(setImmediate);
  studio.cancelWebllm();
  await assert.rejects(second, { code: "CANCELLED" });
  globalThis.finish();
  await first;
  await until("unload A");
  await new Promise(setImmediate);
  assert.ok(!told.includes("load B"));
});
