// SPDX-License-Identifier: MIT
// A server of several tabs whose first request finds no Web Lock to be had: it must not go on as if
// it were alone. What tabs do together is tested in Chromium: tests/browser/server-tabs.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { createServer } from "weftgraph/server";

test("a server that cannot take its place among the tabs refuses, and tries again with the next request", async () => {
  let isDenied = true;
  const taken = [];
  // Node 20 has no Web Locks.
  const locks = {
    request: async (name, options, granted = options) => {
      if (isDenied) throw new DOMException("no locks here", "SecurityError");
      taken.push(name);
      return granted({ name });
    },
    query: async () => ({ held: [] }),
  };
  const had = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  const errors = [];
  const agent = new StateGraph(Annotation.Root({ n: Annotation() }))
    .addNode("add", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "add")
    .compile();
  const server = createServer({
    graphs: { agent },
    saver: new MemorySaver(),
    tabs: "app",
    onError: (error) => errors.push(error.name),
  });
  const begin = async () => {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: "{}" };
    return (await server.fetch(new Request("http://server.test/threads", request))).status;
  };
  try {
    for (let time = 0; time < 2; time++) assert.equal(await begin(), 500);
    assert.deepEqual(errors, ["SecurityError", "SecurityError"]);
    isDenied = false;
    assert.equal(await begin(), 200);
    assert.ok(taken.some((name) => name.includes("tab:")));
  } finally {
    await server.close();
    if (had === undefined) delete globalThis.navigator;
    else Object.defineProperty(globalThis, "navigator", had);
  }
});
