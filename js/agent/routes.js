// SPDX-License-Identifier: MIT
// Decides where an agent goes on: by the jump that a hook left, by the calls that have no answer
// yet, and by tools whose result is the answer. Does not depend on models or on how tools run.
import { messageType } from "../messages/base.js";
import { callsOf, unansweredIn } from "../prebuilt/tool-calls/open-calls.js";
import { sendCalls } from "../prebuilt/agent/routes.js";
import { JUMP } from "./agent-state.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../prebuilt/agent/agent-model.js").AgentState} AgentState */
/** @typedef {string | import("../base/constants.js").Send[]} Route */
/**
 * The places of a graph. `loop`: where a turn of the model begins; `exit`: the first node behind
 * the last turn, or the end; `tools`: undefined without tools; `review`: the hook that calls must
 * pass before the tools, if any; `sendEach`: one task per call; `direct`: names of the tools whose
 * result is the answer.
 * @typedef {{ loop: string, exit: string, tools: string | undefined, review: string | undefined,
 *   sendEach: boolean, direct: ReadonlySet<string> }} Places
 */

/**
 * Goes to the tools with the calls that have no answer.
 * @param {AgentState} state
 * @param {Places} places
 * @returns {Route | undefined} undefined if there are none, or no tools
 */
function toTools(state, { tools, sendEach }) {
  if (tools === undefined) return undefined;
  const calls = unansweredIn(state.messages);
  if (calls.length === 0) return undefined;
  if (!sendEach) return tools;
  const { [JUMP]: _jump, ...seen } = state;
  return sendCalls(seen, calls);
}

/**
 * Routes to where a hook jumps; to the tools through the review that it stands before.
 * @param {AgentState} state
 * @param {Places} places
 * @returns {Route | undefined} undefined without a jump
 */
export function jumpRoute(state, places) {
  const jump = state[JUMP];
  if (jump === undefined || jump === null) return undefined;
  if (jump === "model") return places.loop;
  const tools = jump === "tools" ? toTools(state, places) : undefined;
  return tools === undefined ? places.exit : (places.review ?? tools);
}

/**
 * Routes behind the model: to open calls, to the model again if it must see what was wrong with
 * its answer, else to the exit. An answer with the id of an earlier message takes its place, so
 * that a tool's result may be last all the same.
 * @param {AgentState} state
 * @param {Places} places
 * @param {boolean} canRepeat may the model have to answer again?
 * @returns {Route}
 */
export function modelRoute(state, places, canRepeat) {
  const tools = toTools(state, places);
  if (tools !== undefined) return tools;
  const last = state.messages.at(-1);
  return canRepeat && last !== undefined && messageType(last) === "tool"
    ? places.loop
    : places.exit;
}

/**
 * Routes behind the tools: to the exit if one of the turn's calls was of a direct tool. All tasks
 * of a turn take the same way.
 * @param {AgentState} state
 * @param {Places} places
 * @returns {string}
 */
export function toolsRoute({ messages }, { direct, loop, exit }) {
  const asked = messages.findLast((message) => messageType(message) === "ai");
  return asked !== undefined && callsOf(asked).some(({ name }) => direct.has(name)) ? exit : loop;
}
