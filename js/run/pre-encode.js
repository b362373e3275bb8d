// SPDX-License-Identifier: MIT
// What will be stored crosses with its text, which the engine need not ask for then. Owns nothing.
import { Batch } from "../engine/batch.js";
import { encodeValue } from "../engine/codec.js";
import { EVENT_ENCODED } from "../base/codes.js";
import { putTexts } from "./events.js";

/**
 * From now on the numbers that are given out are kept, where the run stores what they stand for.
 * @param {import("./run.js").Run} run
 */
export function keepFresh({ thread, graph, request, engine }) {
  if (
    thread !== undefined &&
    thread.encode === undefined &&
    graph.keepsAll &&
    request.durability !== "exit"
  )
    engine.slots.fresh = [];
}

/** Behind what feeds these numbers: their texts. @param {import("./run.js").Run} run */
export function putFresh({ engine, request }) {
  const { batch, slots } = engine;
  const { fresh = [] } = slots;
  slots.fresh = undefined;
  if (fresh.length === 0) return;
  const list = [];
  // Foreign code may run, and begin a batch.
  const spare = engine.spare ?? new Batch();
  engine.batch = spare;
  engine.spare = undefined;
  try {
    for (const word of fresh) {
      list.push(word, encodeValue(slots.toValue(word), request));
    }
  } catch {
    // The engine will ask for it, and the run end with it.
  }
  engine.batch = batch;
  engine.spare = spare;
  batch.begin(EVENT_ENCODED, 0);
  putTexts(batch, list);
  batch.end();
}
