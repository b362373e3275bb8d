// SPDX-License-Identifier: MIT
// A tool call as it would run, in a form that nobody else can change: the tool itself, and the
// arguments by value, read by the tool's schema once, before any policy or person sees them. Must
// not know who decides about it, or how tools are run.
import { ERR_APPROVAL, OK, PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { checksItself, readInput } from "../../tools/input.js";
import { READ_ARGUMENTS, READ_CALLS } from "../../tools/tool-result.js";
import { UnshownValueError, copyValue, showValue } from "../../tools/shown-value.js";

/** @typedef {import("../../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../tool-calls/toolset.js").Outcome} Outcome */
/** @typedef {import("../tool-calls/toolset.js").Toolset} Toolset */

const TYPED =
  'The tool receives values that JSON cannot hold; they stand as {"$date": …}, {"$class": [name, fields]} and the like.';

export class BoundCall {
  #held;
  #text;
  #isRead;

  /**
   * @param {Value} tool
   * @param {Outcome} outcome of the plan; its `canonical` and `digest` are of what is shown
   * @param {{ held: Value }} [read] a copy of what the schema made of the arguments; else they are
   *   those of the plan
   */
  constructor(tool, outcome, read) {
    this.tool = tool;
    this.outcome = outcome;
    /** As it was planned and shown. */
    this.name = outcome.name;
    const isRead = read !== undefined;
    const held = isRead ? read.held : JSON.parse(outcome.canonical);
    const { json, isTyped } = showValue(held);
    this.#held = held;
    this.#text = JSON.stringify(json);
    this.#isRead = isRead;
    /** For a person, where JSON does not show all. */
    this.note = isTyped && isRead && held !== undefined ? TYPED : undefined;
  }

  /** The arguments, a copy for each who asks. */
  get args() {
    return copyValue(this.#held);
  }

  /** In LangChain's form; nothing of it is shared. */
  get request() {
    return { name: this.name, args: this.args, id: this.outcome.id, type: "tool_call" };
  }

  /** Is it the same call, by value? @param {Value} call */
  isSame(call) {
    try {
      return (
        call.name === this.name &&
        call.id === this.outcome.id &&
        JSON.stringify(showValue(copyValue(call.args)).json) === this.#text
      );
    } catch {
      return false;
    }
  }

  /**
   * What is to be invoked with a request of it. LangChain's tools read their arguments by their
   * schema themselves: theirs is one that takes what was read before.
   * @returns {Value}
   */
  get callee() {
    const { tool } = this;
    if (!this.#isRead || typeof tool[READ_ARGUMENTS] === "function") return tool;
    return Object.create(tool, {
      schema: { value: schemaOf(() => this.args) },
      _call: { value: (/** @type {Value[]} */ ...given) => tool._call(...given) },
    });
  }

  /**
   * The request goes to the tool now: its schema has read it.
   * @param {RunRequest} request
   * @returns {unknown} the request
   */
  handOver(request) {
    if (this.#isRead) READ_CALLS.add(request);
    return request;
  }
}

/**
 * Reads the arguments by the schema of the tool, where that may change them.
 * @param {Toolset} toolset
 * @param {Value} tool
 * @param {Outcome} outcome of the plan
 * @param {string} scope names the message
 * @returns {Promise<BoundCall>} fails where the arguments do not fit; ERR_APPROVAL where what the
 *   schema makes of them cannot be shown
 */
export async function bindCall(toolset, tool, outcome, scope) {
  const read = readerOf(tool);
  if (read === undefined) return new BoundCall(tool, outcome);
  const held = copyRead(tool, await read(JSON.parse(outcome.canonical)));
  const { json, isTyped } = showValue(held);
  const text = JSON.stringify(json);
  if (text === outcome.canonical || isSameText(held, outcome))
    return new BoundCall(tool, outcome, { held });
  const args =
    json !== null && typeof json === "object" && !Array.isArray(json)
      ? text
      : JSON.stringify({ $value: json });
  const [planned] = toolset.plan(
    [{ name: outcome.name, id: outcome.id, args }],
    PLAN_RAW | PLAN_DIGEST,
    isTyped ? `${scope}\ntyped` : scope,
  );
  if (planned.status !== OK) throw makeError(ERR_APPROVAL, [`"${tool.name}"`, planned.text]);
  return new BoundCall(
    tool,
    { ...planned, tool: outcome.tool, id: outcome.id, reassigned: outcome.reassigned },
    { held },
  );
}

/**
 * Throws where the schema makes something else of the same arguments each time: a person could
 * never see what runs.
 * @param {BoundCall} bound
 * @param {Outcome} given what was read
 */
export async function checkStable(bound, given) {
  const read = readerOf(bound.tool);
  if (read === undefined) return;
  const again = copyRead(bound.tool, await read(JSON.parse(given.canonical)));
  if (bound.isSame({ ...bound.request, args: again })) return;
  throw makeError(ERR_APPROVAL, [
    `"${bound.name}"`,
    "its schema makes other arguments each time; make such values in the tool's function",
  ]);
}

/**
 * How a tool reads its arguments, if it is known and may change them.
 * @param {Value} tool
 * @returns {((args: Value) => Value) | undefined}
 */
function readerOf(tool) {
  if (typeof tool[READ_ARGUMENTS] === "function") return (args) => tool[READ_ARGUMENTS](args);
  const { schema } = tool;
  const isLangChains =
    typeof tool._call === "function" &&
    schema !== undefined &&
    schema !== null &&
    checksItself(schema);
  return isLangChains
    ? (args) => readInput(schema, args, tool.verboseParsingErrors === true)
    : undefined;
}

/** @param {ToolLike} tool @param {Value} value */
function copyRead(tool, value) {
  try {
    return copyValue(value);
  } catch (error) {
    if (!(error instanceof UnshownValueError)) throw error;
    throw makeError(ERR_APPROVAL, [`"${tool.name}"`, error.message]);
  }
}

/** A schema, in zod's shape, that makes this of everything. @param {() => Value} value */
function schemaOf(value) {
  const read = () => ({ success: true, data: value() });
  return {
    _def: { typeName: "ZodAny" },
    parse: value,
    parseAsync: async () => value(),
    safeParse: read,
    safeParseAsync: async () => read(),
  };
}

/**
 * One text that is the only argument is shown under its name; where there is none, nothing is.
 * @param {unknown} held
 * @param {Outcome} outcome
 */
function isSameText(held, { canonical }) {
  return held === undefined
    ? canonical === "{}"
    : typeof held === "string" && canonical === JSON.stringify({ input: held });
}
