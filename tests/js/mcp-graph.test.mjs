// SPDX-License-Identifier: MIT
// Serves docs/guides/mcp.md: a graph as an MCP server. tests/browser/mcp-graph.test.mjs and
// tests/runtime/mcp.test.mjs do the same in a tab, in a worker and in workerd.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENTS } from "./mcp-served.mjs";
import { TAKEN, serveTrip, takeTrip } from "./mcp-trip.mjs";

const ANSWERS = { decision: { decision: "approve" }, seat: { seat: "aisle" } };
const answer = ({ requestedSchema: { properties } }) => {
  const [key] = Object.keys(properties);
  return { action: "accept", content: ANSWERS[key] };
};

for (const [kind, open] of Object.entries(CLIENTS))
  test(`${kind}: a graph reports, asks, answers in a structure, and stops when it is left`, async () => {
    assert.deepEqual(await takeTrip(open, serveTrip()), TAKEN);
  });

// In the older era one request waits for all answers; in the newer one each answer is a request.
for (const kind of ["our client, legacy", "the official client 2, legacy", "the official client 1"])
  test(`${kind}: the progress of a request grows, also when a question was answered`, async () => {
    const { call, close } = await CLIENTS[kind](serveTrip(), { answer });
    for (const [steps, expected] of [
      [3, [1, 2, 3]],
      // The graph reports nothing itself: its nodes that have ended are counted.
      [0, [1, 2, 3]],
    ]) {
      const seen = [];
      const onProgress = ({ progress }) => seen.push(progress);
      await call("trip", { to: "Oslo", steps }, { onProgress });
      assert.deepEqual(seen, expected);
    }
    await close();
  });
