// SPDX-License-Identifier: MIT
// Knows: what a call gives that takes the chunks of `values` for its result. Must not know: runs.
import { INTERRUPT } from "../../base/constants.js";
import { withQuestions } from "./modes.js";

/** What was shown last, with all that was asked, which stands by itself. @param {any[]} chunks */
export function shownLast(chunks) {
  let values, asked;
  for (const chunk of chunks) {
    if (chunk?.[INTERRUPT]) asked = [...(asked ?? []), ...chunk[INTERRUPT]];
    else values = chunk;
  }
  return withQuestions(values, asked);
}
