// SPDX-License-Identifier: MIT
// Reads the decisions about a thread's tool calls from its log.
import { decodeValue } from "../../engine/decode.js";
import { hexOf } from "../../base/uuid.js";
import { decisionOf } from "../../log/reader.js";
import { readThread } from "./read-checkpoints.js";

/** Answer types by their number in the log. */
const TYPES = ["", "accept", "ignore", "response", "edit", "retry", "escalate"];

/** @param {import("../../log/log-store.js").LogStore} store @param {string} threadId */
export async function decisions(store, threadId) {
  const thread = await readThread(store, threadId);
  /** Sequence number of each request, by approval id. @type {Map<string, number>} */
  const asked = new Map();
  return thread.decisions.flatMap((frame) => {
    const { seq, ns, call, approval, bound, shown, moment, verdict, answer } = decisionOf(
      frame,
      thread,
    );
    const id = hexOf(approval);
    if (verdict === 0) asked.set(id, seq);
    return verdict === 0
      ? []
      : [
          {
            seq,
            id,
            request_seq: asked.get(id),
            digest: hexOf(shown),
            type: TYPES[verdict],
            ...(moment > 0 ? { by: "expiry" } : undefined),
            answer: decodeValue(/** @type {string} */ (answer)),
            tool_call_id: call,
            checkpoint_ns: ns,
            checkpoint_seq: bound,
          },
        ];
  });
}
