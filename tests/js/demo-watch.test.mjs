// SPDX-License-Identifier: MIT
// Serves the studio of the demo: what it keeps of a run whose stream breaks and is opened again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Watch } from "../../web-demo/src/studio/server/watch.js";

const STARTED = { event: "metadata", data: { run_id: "r" } };
const TOLD = { event: "custom", data: "one" };

/** Tells each list of events in a stream of its own, which then breaks. */
async function watching(streams, between, status = "busy") {
  const told = [...streams];
  const client = {
    thread: async () => ({ status }),
    async follow(_thread, hear, _signal, opened) {
      opened();
      for (const event of told.shift()) hear(event);
      between(watch);
      if (told.length === 0) watch.close();
      else setTimeout(() => watch.hurry());
    },
  };
  const watch = new Watch(client, "t", {
    changed() {},
    committed() {},
    missing: async () => {},
  });
  await watch.follow();
  return watch;
}

for (const [when, between] of [
  ["whose stream broke", () => {}],
  ["whose server was out of reach", (watch) => watch.lose()],
])
  test(`a run ${when} is told from its start again, and its events are kept once`, async () => {
    const before = [{ event: "custom", data: "of no run" }];
    const streams = [
      [...before, STARTED, TOLD],
      [STARTED, TOLD, { event: "custom", data: "two" }],
    ];
    const watch = await watching(streams, between);
    assert.deepEqual(
      watch.events.map(({ data }) => data),
      ["of no run", "one", "two"],
    );
  });

for (const [status, left] of [
  ["idle", []],
  ["error", ["Some wor"]],
])
  test(`a run that ended ${status} while its server was out of reach says nothing more`, async () => {
    const piece = { id: "m", type: "AIMessageChunk", content: "Some wor" };
    const streams = [[STARTED, { event: "messages", data: [piece, {}] }], []];
    const { speech, run } = await watching(streams, (watch) => watch.lose(), status);
    assert.deepEqual(
      [run, speech.isOver, speech.all.map(({ text }) => text)],
      [undefined, true, left],
    );
  });
