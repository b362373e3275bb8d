// SPDX-License-Identifier: MIT
// Feeds values that will be stored together with their texts, so the engine need not ask for them.
import { Batch } from "../engine/batch.js";
import { encodeValue } from "../engine/codec.js";
import { EVENT_ENCODED } from "../base/codes.js";
import { putTexts } from "./events.js";

/**
 * Starts to collect newly assigned handles, if the run stores their values.
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

/**
 * Writes the texts of these values, after the event with the handles.
 * @param {import("./run.js").Run} run
 */
export function putFresh({ engine, request }) {
  const { batch, slots } = engine;
  const { fresh = [] } = slots;
  slots.fresh = undefined;
  if (fresh.length === 0) return;
  const list = [];
  // User code may run, and begin a batch.
  const spare = engine.spare ?? new Batch();
  engine.batch = spare;
  engine.spare = undefined;
  try {
    for (const word of fresh) {
      list.push(word, encodeValue(slots.toValue(word), request));
    }
  } catch {
    // The engine will ask for this text, and the run will end with the same error.
  }
  engine.batch = batch;
  engine.spare = spare;
  batch.begin(EVENT_ENCODED, 0);
  putTexts(batch, list);
  batch.end();
}
