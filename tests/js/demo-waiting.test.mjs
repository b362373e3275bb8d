// SPDX-License-Identifier: MIT
// The list of what waits in the studio's inbox, where changes are told early or not at all. In tabs
// of a browser: tests/browser/demo-inbox.test.mjs.
import { test } from "node:test";
import assert from "node:assert/strict";
import { once } from "node:events";
import { waitingOf } from "../../web-demo/src/screens/inbox/waiting.js";

/** A page's engine that tells of no change; `threads`: what its server has stored. */
class Silent extends EventTarget {
  state = "ready";
  threads = [];
  server = {
    fetch: async (_url, { body }) => {
      const { status } = JSON.parse(body);
      return Response.json(this.threads.filter((thread) => thread.status === status));
    },
  };
  ask = () => new Promise(() => {});
}

const threadOf = (status) => ({
  thread_id: "t",
  status,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  metadata: { graph_id: "orders" },
  interrupts: { task: [{ id: "q", value: "Go on?" }] },
});

test("a request whose thread was at work elsewhere leaves the list, though nobody told of the end", async () => {
  const engine = new Silent();
  engine.threads = [threadOf("busy")];
  const waiting = waitingOf(engine);
  await once(waiting, "change");
  assert.deepEqual(
    waiting.requests.map(({ thread, id }) => [thread, id]),
    [["t", "q"]],
  );
  engine.threads = [threadOf("idle")];
  await once(waiting, "change");
  assert.deepEqual(waiting.requests, []);
});
