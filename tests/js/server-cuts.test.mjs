// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md (streams can be left and joined): readers whose connections are cut
// at random bytes, and who join again with the last id that they saw, have read what a reader has
// whose connection holds. All cuts come from seeds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createChance } from "./idbfs-origin.mjs";
import { URL_OF_SERVER, makeAgent, say, serve } from "./server-graphs.mjs";

const RUNS = 120;
/** At least so many cuts are made in each protocol. */
const CUTS = 1000;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The whole frames in a text, and where the rest begins. */
function framesOf(text) {
  const frames = [];
  let from = 0;
  for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n", from)) {
    const frame = text.slice(from, end);
    from = end + 2;
    const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
    if (field("data") !== undefined)
      frames.push({ id: field("id"), event: field("event"), data: field("data") });
  }
  return frames;
}

/**
 * Reads a response, but for `most` bytes.
 * @returns {Promise<{ frames: object[], isWhole: boolean }>}
 */
async function readBytes(response, most, isLast = () => false) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let rest = most;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { frames: framesOf(text), isWhole: true };
    text += decoder.decode(value.subarray(0, rest), { stream: true });
    rest -= value.length;
    const frames = framesOf(text);
    if (rest > 0 && !(frames.length > 0 && isLast(frames.at(-1)))) continue;
    await reader.cancel();
    return { frames, isWhole: rest > 0 };
  }
}

/** Reads to the end over as many connections as it takes. `join` is given the last frame. */
async function readThrough(join, chance, counts, isLast) {
  const seen = [];
  for (;;) {
    // Now and then a connection is cut before anything came, or holds to the end.
    const most = chance(12) === 0 ? Infinity : 1 + chance(2500);
    const { frames, isWhole } = await readBytes(await join(seen.at(-1)), most, isLast);
    seen.push(...frames);
    if (isWhole) return seen;
    counts.cuts++;
    for (let turns = chance(4); turns > 0; turns--) await turn();
  }
}

test("a run's stream: over 1,000 cuts every reader has read the same events, each once", async () => {
  const counts = { cuts: 0 };
  for (let seed = 1; seed <= RUNS || counts.cuts < CUTS; seed++) {
    const chance = createChance(seed);
    const { server } = serve({ graphs: { agent: makeAgent() } });
    const get = (path, last) =>
      server.fetch(`${URL_OF_SERVER}${path}`, {
        headers: { "last-event-id": last === undefined ? "-1" : last.id },
      });
    const first = await server.fetch(`${URL_OF_SERVER}/threads/t/runs/stream`, {
      method: "POST",
      body: JSON.stringify({
        assistant_id: "agent",
        input: say("word ".repeat(chance(30)) + seed),
        stream_mode: ["values", "updates", "messages-tuple", "custom"],
        stream_resumable: true,
        if_not_exists: "create",
      }),
    });
    const place = first.headers.get("location");
    const whole = readBytes(first, Infinity);
    const readers = [1, 2, 3].map(() => readThrough((last) => get(place, last), chance, counts));
    const { frames } = await whole;
    assert.deepEqual(
      frames.map(({ id }) => Number(id)),
      frames.map((_, index) => index),
    );
    for (const seen of await Promise.all(readers)) assert.deepEqual(seen, frames, `seed ${seed}`);
    // Who comes when the run is over reads the same.
    assert.deepEqual(await readThrough((last) => get(place, last), chance, counts), frames);
    await server.close();
  }
  assert.ok(counts.cuts >= CUTS);
});

test("a thread's stream: over 1,000 cuts every reader has read the same events over several runs", async () => {
  const counts = { cuts: 0 };
  for (let seed = 1; seed <= RUNS / 3 || counts.cuts < CUTS; seed++) {
    const chance = createChance(seed);
    const { server, ask } = serve({ graphs: { agent: makeAgent() } });
    const open = (last) =>
      server.fetch(`${URL_OF_SERVER}/threads/t/stream/events`, {
        method: "POST",
        body: JSON.stringify({
          channels: [
            "values",
            "updates",
            "checkpoints",
            "lifecycle",
            "messages",
            "custom",
            "input",
          ],
          since: last === undefined ? 0 : JSON.parse(last.data).seq,
        }),
      });
    const isEnd = ({ event, data }) =>
      event === "lifecycle" && /"event_id":"synth:[^"]*:completed"/.test(data);
    const runs = [];
    const start = async (id) => {
      const { body } = await ask("POST", "/threads/t/commands", {
        id,
        method: "run.start",
        params: { assistant_id: "agent", input: say(`run ${id} ${"word ".repeat(chance(20))}`) },
      });
      runs.push(body.result.run_id);
    };
    for (let id = 1; id <= 3; id++) await start(id);
    const isLast = (frame) => isEnd(frame) && frame.data.includes(runs[2]);
    const whole = open().then((response) => readBytes(response, Infinity, isLast));
    const readers = [1, 2, 3].map(() => readThrough(open, chance, counts, isLast));
    const { frames } = await whole;
    const numbers = frames.map(({ data }) => JSON.parse(data).seq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    for (const seen of await Promise.all(readers)) assert.deepEqual(seen, frames, `seed ${seed}`);
    await server.close();
  }
  assert.ok(counts.cuts >= CUTS);
});
