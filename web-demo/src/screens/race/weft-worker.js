// SPDX-License-Identifier: MIT
// Runs the race's program with Weft, in a worker of its own.
import { Annotation, END, MemorySaver, START, StateGraph } from "weftgraph";
import { answerLaps } from "./program.js";

answerLaps(
  { Annotation, END, MemorySaver, START, StateGraph },
  (/** @type {MemorySaver} */ saver) => saver.byteLength(),
);
