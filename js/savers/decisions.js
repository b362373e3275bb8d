// SPDX-License-Identifier: MIT
// What people decided about a thread's tool calls: read from its log. Owns nothing.
import { decodeValue } from "../engine/decode.js";
import { hexOf } from "../engine/hex.js";
import { LogReader } from "../log/reader.js";
import { readLog } from "./loss.js";

/** By their number, as approvals number them. */
const TYPES = ["", "accept", "ignore", "response", "edit", "retry"];

/** @param {import("./log-port.js").LogStore} store @param {string} threadId @returns {Promise<any[]>} */
export async function decisions(store, threadId) {
  /** @type {any[]} */
  const found = [];
  const reader = new LogReader();
  /** When what was asked about. @type {Map<string, number>} */
  const asked = new Map();
  reader.decided = ({ seq, ns, call, approval, bound, shown, verdict, answer }) => {
    const id = hexOf(approval);
    if (verdict === 0) return asked.set(id, seq);
    return found.push({ seq, id, request_seq: asked.get(id), digest: hexOf(shown), type: TYPES[verdict], answer: decodeValue(/** @type {string} */ (answer)), tool_call_id: call, checkpoint_ns: ns, checkpoint_seq: bound });
  };
  // What stayed was written anew behind it.
  reader.trimmed = () => void found.splice(0);
  for (const piece of await readLog(store, threadId)) for (const _ of reader.read(piece)) continue;
  return found;
}
