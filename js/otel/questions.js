// SPDX-License-Identifier: MIT
// Describes questions to people and their answers as moments of a trace. Remembers what this
// process asked, so that the answer's span can link to the question's.
import { standardAnswer } from "../calls/approval-answers.js";
import { callsOf } from "./attributes.js";

/** @typedef {import("./attributes.js").Attributes} Attributes */
/** @typedef {import("./entry.js").Entry} Entry */
/** @typedef {{ calls: Attributes[], at: number, spans: (object | undefined)[] }} Asked */
/**
 * Makes a span of a moment, returns its context.
 * @typedef {(entry: Entry, name: string, attributes: Attributes, asked?: object) => object |
 *   undefined} Point
 */

/** Maximum number of open questions that are remembered. */
const MOST_ASKED = 1000;
const ID = "langgraph.interrupt.id";
/** Kinds of decisions; anything else in an answer is content. */
const DECISIONS = /^(accept|edit|response|ignore|retry)$/;

/** @param {string} operation @param {string} otherwise @param {Attributes} call */
function nameOf(operation, otherwise, call) {
  const tool = call["gen_ai.tool.name"];
  return tool === undefined ? otherwise : `${operation} ${tool}`;
}

export class Questions {
  /** @type {Map<string, Asked>} */
  #asked = new Map();
  #point;

  /** @param {Point} point */
  constructor(point) {
    this.#point = point;
  }

  /**
   * @param {Entry} entry
   * @param {string} id of the interrupt
   * @param {unknown} value
   */
  ask(entry, id, value) {
    const calls = callsOf(value);
    if (calls.length === 0) calls.push({});
    const spans = calls.map((call) =>
      this.#point(entry, nameOf("request_approval", "interrupt", call), { [ID]: id, ...call }),
    );
    this.#asked.set(`${entry.thread} ${id}`, { calls, at: Date.now(), spans });
    if (this.#asked.size > MOST_ASKED)
      this.#asked.delete(/** @type {string} */ (this.#asked.keys().next().value));
  }

  /**
   * @param {Entry} entry of the run that is resumed
   * @param {import("../run/start.js").RunRequest} request
   */
  answer(entry, { resume, resumeMap, clock, context: { resumed } }) {
    if (resume === undefined && resumeMap === undefined) return;
    const waiting = (resumed?.tasks ?? []).flatMap(({ interrupts }) => interrupts);
    const answers = resumeMap ?? { [(waiting.length === 1 && waiting[0].id) || ""]: resume };
    for (const [id, answer] of Object.entries(answers)) {
      const key = `${entry.thread} ${id}`;
      const value = waiting.find((one) => one.id === id)?.value;
      const {
        calls = callsOf(value),
        at = Date.parse(String(resumed?.createdAt)),
        spans = [],
      } = this.#asked.get(key) ?? {};
      this.#asked.delete(key);
      if (calls.length === 0) calls.push({});
      const decisions = [standardAnswer(answer, value)].flat();
      const wait = (Date.now() - at) / 1000;
      // A late answer decides nothing.
      const isLate = Date.parse(Object(value).expires_at) <= (clock ?? Date).now();
      const decided = (/** @type {string} */ type) => {
        /** @type {Attributes} */
        const attributes = {};
        if (isLate) attributes["weft.approval.expired"] = true;
        else if (DECISIONS.test(type)) attributes["weft.approval.decision"] = type;
        return attributes;
      };
      for (const [index, call] of calls.entries()) {
        const { type } = Object(decisions[index]);
        const name = nameOf("decide_approval", "resume", call);
        this.#point(
          entry,
          name,
          {
            ...(id && { [ID]: id }),
            ...call,
            ...(wait >= 0 && { "langgraph.interrupt.wait": wait }),
            ...(name !== "resume" && decided(type)),
          },
          spans[index],
        );
      }
    }
  }
}
