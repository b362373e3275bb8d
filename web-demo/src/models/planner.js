// SPDX-License-Identifier: MIT
// Answers free text by rules, in the place of a chat model: orders, times, sums, and what it did
// not understand. It never guesses an action. Must not know: graphs, the page.
import { ScriptedModel } from "weftgraph/models/scripted";
import { offered, orders } from "./planner/orders.js";
import { tellOutcomes } from "./planner/outcomes.js";
import { sums } from "./planner/sums.js";
import { HELP, smallTalk, withoutManners } from "./planner/talk.js";
import { times } from "./planner/time.js";
import { clausesOf, quoted } from "./planner/words.js";

/** The tool for orders. @typedef {{ name: string, parameters: any }} Tool */
/** @typedef {{ name: string, args: Record<string, unknown> }} Call */
/**
 * `refuses`: what was asked for is not done; then nothing else of the text is done either.
 * @typedef {{ say?: string, calls?: Call[], refuses?: boolean }} Reply
 */
/**
 * What topics look at besides the words: `clause` has its manners ("please", "can you"), `said` is
 * without them, `isWish` says that it was "I want", not a command.
 * @typedef {{ clause: string, said: string, isWish: boolean, tool: Tool | undefined, messages:
 *   any[], now: Date }} Heard
 */

const LONGEST = 2000;
const QUOTED_MOST = 3;
/** The only tool that it calls. */
const ORDER = "place_order";
const TOPICS = [orders, times, sums, smallTalk, offered];
const AGREED =
  /^(?:yes|yeah|yep|yup|sure|ok|okay|please do|do it|go ahead|of course)(?: please)?$/i;

/**
 * A chat model of rules. The same conversation gets the same answer, but for the time.
 * @param {{ pace?: number, now?: () => Date }} [options] `pace`: ms between words
 */
export function plannerModel({ pace = 0, now = () => new Date() } = {}) {
  /** @type {ScriptedModel} */
  const model = new ScriptedModel({
    responses: [
      (/** @type {any[]} */ messages, /** @type {any} */ options) => {
        // It keeps what it was asked, for tests; nobody reads it here.
        model.calls.length = 0;
        return answer(messages, options.tools ?? [], now());
      },
    ],
    loop: true,
    tokenDelayMs: pace,
  });
  return model;
}

/**
 * The answer to a conversation: a text, calls of tools, or both.
 * @param {any[]} messages
 * @param {any[]} declared tools in OpenAI's form
 * @param {Date} now
 */
export function answer(messages, declared, now) {
  const at = messages.findLastIndex((message) => message.getType() === "human");
  const told = tellOutcomes(messages.slice(at + 1));
  if (told !== undefined) return answered(messages, told, []);
  const text = String(messages[at]?.text ?? "").trim();
  const tool = declared.find((one) => one?.function?.name === ORDER)?.function;
  const { say = "", calls = [] } = reply(text, messages.slice(0, at), tool, now);
  const before = messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0);
  const tool_calls = calls.map(({ name, args }, place) => ({
    name,
    args,
    id: `call_${before + place + 1}`,
    type: /** @type {const} */ ("tool_call"),
  }));
  return answered(messages, say, tool_calls);
}

/**
 * Counts about four characters as a token, so that meters and limits have something to count.
 * @param {any[]} messages @param {string} content @param {any[]} tool_calls
 */
function answered(messages, content, tool_calls) {
  const tokens = (/** @type {number} */ characters) => Math.ceil(characters / 4);
  const asked = messages.reduce((sum, message) => sum + String(message.text ?? "").length, 0);
  const made = JSON.stringify(tool_calls.map(({ args }) => args)).length - 2;
  const usage_metadata = {
    input_tokens: tokens(asked),
    output_tokens: tokens(content.length + made),
    total_tokens: tokens(asked) + tokens(content.length + made),
  };
  return { content, tool_calls, usage_metadata };
}

/**
 * @param {string} text @param {any[]} messages that came before @param {Tool | undefined} tool
 * @param {Date} now
 * @returns {Reply}
 */
function reply(text, messages, tool, now) {
  if (text === "") return { say: `I heard nothing. ${HELP}` };
  if (text.length > LONGEST)
    return { say: `I read at most ${LONGEST} characters at once; please say it shorter.` };
  const last = messages.findLast((message) => message.getType() === "ai");
  const offer = /Say yes, or “([^”]+)”/.exec(String(last?.text ?? ""))?.[1];
  const words = offer !== undefined && AGREED.test(text.replace(/[.!]+$/, "")) ? offer : text;
  /** @type {Reply[]} */
  const replies = [];
  /** @type {string[]} */
  const unknown = [];
  for (const clause of clausesOf(words)) {
    const found = hear({ clause, ...withoutManners(clause), tool, messages, now });
    if (found === undefined) unknown.push(clause);
    else replies.push(found);
  }
  const calls = replies.flatMap((part) => part.calls ?? []);
  const say = replies.map((part) => part.say ?? "").filter((part) => part !== "");
  const refuses = replies.some((part) => part.refuses);
  if (unknown.length === 0) return { say: say.join("\n\n"), ...(!refuses && { calls }) };
  // What was not understood may change what was: nothing is done.
  const understood = calls.length > 0 ? " So I did nothing." : "";
  const what = unknown.slice(0, QUOTED_MOST).map(quoted).join(", ");
  return { say: [...say, `I did not understand ${what}.${understood} ${HELP}`].join("\n\n") };
}

/** @param {Heard} heard @returns {Reply | undefined} */
function hear(heard) {
  for (const topic of TOPICS) {
    const found = topic(heard);
    if (found !== undefined) return found;
  }
  return undefined;
}
