// SPDX-License-Identifier: MIT
// Holds a tool call as it would run, in a form that nobody else can change: the tool itself, and
// the arguments by value, read once by the tool's schema before any policy or person sees them.
// Does not depend on who decides or how tools run.
import { ERR_APPROVAL, OK, PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { checksItself, readInput } from "../../tools/input.js";
import { READ_ARGUMENTS, READ_CALLS } from "../../tools/tool-result.js";
import { UnshownValueError, copyValue, showValue } from "../../tools/shown-value.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../tool-calls/toolset.js").Outcome} Outcome */
/** @typedef {import("../tool-calls/toolset.js").Toolset} Toolset */

const TYPED =
  'The tool receives values that JSON cannot hold; they stand as {"$date": …}, {"$class": [name, fields]} and the like.';

export class BoundCall {
  #held;
  #text;
  #isRead;
  /** What the tool runs. */
  #works;
  /**
   * How the call was repaired before it was presented.
   * @type {import("../../types/tools/repair.js").ToolCallRepair[] | undefined}
   */
  repaired;

  /**
   * @param {ToolLike} tool
   * @param {Outcome} outcome of the plan; its `canonical` and `digest` cover the presented call
   * @param {{ held: unknown }} [read] a copy of the arguments as the schema read them; else the
   *   plan's arguments are used
   */
  constructor(tool, outcome, read) {
    this.tool = tool;
    this.#works = worksOf(tool);
    this.outcome = outcome;
    /** The name as it was planned and presented. */
    this.name = outcome.name;
    const isRead = read !== undefined;
    const held = isRead ? read.held : JSON.parse(outcome.canonical);
    const { json, isTyped } = showValue(held);
    this.#held = held;
    this.#text = JSON.stringify(json);
    this.#isRead = isRead;
    /** Remark for the person if JSON does not represent all arguments. */
    this.note = isTyped && isRead && held !== undefined ? TYPED : undefined;
  }

  /** A new copy of the arguments for each caller. */
  get args() {
    return copyValue(this.#held);
  }

  /** The call in LangChain's form; shares no objects. */
  get request() {
    return { name: this.name, args: this.args, id: this.outcome.id, type: "tool_call" };
  }

  /** Compares a call by value. @param {unknown} given */
  isSame(given) {
    try {
      const call = /** @type {OpenCall} */ (given);
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
   * The object to invoke with a request of this call. LangChain's tools apply their schema
   * themselves: such a tool gets a schema that accepts the arguments already read.
   * @returns {ToolLike}
   */
  get callee() {
    const { tool } = this;
    if (worksOf(tool).some((work, at) => work !== this.#works[at]))
      throw makeError(ERR_APPROVAL, [`"${this.name}"`, "the tool's function was replaced since"]);
    if (!this.#isRead || typeof tool[READ_ARGUMENTS] === "function") return tool;
    return Object.create(tool, {
      schema: { value: schemaOf(() => this.args) },
      _call: { value: (/** @type {unknown[]} */ ...given) => tool._call(...given) },
    });
  }

  /**
   * Marks the request as already read by the tool's schema.
   * @param {object} request
   * @returns {unknown} the same request
   */
  handOver(request) {
    if (this.#isRead) READ_CALLS.add(request);
    return request;
  }
}

/** @param {ToolLike} tool @returns {unknown[]} */
const worksOf = ({ invoke, func, _call }) => [invoke, func, _call];

/**
 * Reads the arguments by the tool's schema if the schema may change them.
 * @param {Pick<Toolset, "plan">} toolset
 * @param {ToolLike} tool
 * @param {Outcome} outcome of the plan
 * @param {string} scope identifies the message
 * @returns {Promise<BoundCall>} rejects when the arguments do not fit; ERR_APPROVAL when the
 *   schema's result cannot be presented
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
 * Throws if the schema makes different arguments each time: a person could never see what runs.
 * @param {BoundCall} bound
 * @param {Outcome} given the outcome that was read
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
 * Returns how a tool reads its arguments, if that is known and may change them.
 * @param {ToolLike} tool
 * @returns {((args: unknown) => unknown) | undefined}
 */
function readerOf(tool) {
  if (typeof tool[READ_ARGUMENTS] === "function") return (args) => tool[READ_ARGUMENTS]?.(args);
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

/** @param {ToolLike} tool @param {unknown} value */
function copyRead(tool, value) {
  try {
    return copyValue(value);
  } catch (error) {
    if (!(error instanceof UnshownValueError)) throw error;
    throw makeError(ERR_APPROVAL, [`"${tool.name}"`, error.message]);
  }
}

/**
 * Makes a schema in zod's shape that accepts everything and returns this value.
 * @param {() => unknown} value
 */
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
 * Checks whether the canonical text already represents the arguments: a single text is presented
 * under its name, missing arguments as an empty object.
 * @param {unknown} held
 * @param {Outcome} outcome
 */
function isSameText(held, { canonical }) {
  return held === undefined
    ? canonical === "{}"
    : typeof held === "string" && canonical === JSON.stringify({ input: held });
}
