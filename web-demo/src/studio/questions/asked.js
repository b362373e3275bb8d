// SPDX-License-Identifier: MIT
// Reads what a question asks, in every shape that interfaces know: approval requests of Weft, of
// LangChain's human-in-the-loop middleware and of Agent Inbox, calls with an unknown outcome, and
// questions of nodes. Makes the answers to them. Must not know: how they are shown.
import {
  acceptCall,
  dateOf,
  editCall,
  readRequest,
  rejectCall,
  repairsIn,
  textOf,
} from "./request.js";
import { sentenceOf } from "./sentence.js";

/** @typedef {import("./request.js").Request} Request */
/**
 * A call to decide about. `manner`: which words fit the decisions; `can`: which are allowed;
 * `callId`: the model's id of it.
 * @typedef {Request & { manner: "review" | "inbox" | "lost", can: Allowed, callId: string }} Call
 */
/**
 * `accept`: run it; `edit`: run it with other arguments; `say`: answer with a text; `ignore`:
 * answer without one.
 * @typedef {{ accept: boolean, edit: boolean, say: boolean, ignore: boolean }} Allowed
 */
/**
 * @typedef {{ type: "accept" } | { type: "edit", args: any } | { type: "say", text: string } |
 *   { type: "ignore" }} Decision
 */
/**
 * The calls that a question is about, and the form of its answer: one of Weft's, a list of
 * responses, or decisions by LangChain's names; `isCamel`: as its JavaScript writes them.
 * @typedef {{ kind: "calls", calls: Call[], form: "one" | "list" | "decisions", isCamel: boolean,
 *   digest: string | undefined, problem: string | undefined, expires: Date | undefined }}
 *   AskedCalls
 */
/**
 * A question of a node. `text`: in words; `details`: all else that it says; `choices`: the answers
 * that it offers.
 * @typedef {{ kind: "open", text: string | undefined, details: unknown, schema: any, choices:
 *   Choice[] }} AskedOpen
 */
/** @typedef {{ label: string, value: unknown }} Choice */
/** @typedef {AskedCalls | AskedOpen} Asked */

/** More calls than these are not shown, and so cannot be approved, as calls. */
const MOST_CALLS = 50;
const MOST_CHOICES = 12;
/** Characters of a title. */
export const MOST_TITLE = 100;
const TEXTS = ["question", "message", "prompt", "title", "text", "description"];
const CHOICES = ["options", "choices", "allowed_values", "allowedValues"];

/** @param {unknown} value @returns {value is Record<string, any>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value */
const isHumanInterrupt = (value) =>
  isRecord(value) && isRecord(value.action_request) && isRecord(value.config);

/**
 * @param {any} value of the interrupt
 * @param {any} [schema] of the answer, as the node gave it
 * @returns {Asked}
 */
export function readAsked(value, schema) {
  const several = value?.action_requests ?? value?.actionRequests;
  const isBound = isRecord(value) && typeof value.canonical === "string";
  if (isBound && isRecord(value.action_request)) {
    const manner = value.kind === "unknown_tool_call" ? "lost" : "review";
    return calls("one", [callOf(value, manner)], value);
  }
  if (isListOf(several, (one) => typeof one?.name === "string"))
    return calls(
      "decisions",
      several.map((_, at) => actionOf(value, several, at)),
      value,
    );
  const list = Array.isArray(value) ? value : [value];
  if (isListOf(list, isHumanInterrupt))
    return calls(
      "list",
      list.map((one) => callOf(one, "inbox")),
      value,
    );
  return openOf(value, schema);
}

/** @param {unknown} list @param {(one: any) => boolean} is @returns {list is any[]} */
const isListOf = (list, is) =>
  Array.isArray(list) && list.length > 0 && list.length <= MOST_CALLS && list.every(is);

/**
 * @param {AskedCalls["form"]} form
 * @param {Call[]} list
 * @param {any} value
 * @returns {AskedCalls}
 */
function calls(form, list, value) {
  return {
    kind: "calls",
    calls: list,
    form,
    isCamel: Array.isArray(value?.actionRequests),
    digest: textOf(value?.digest),
    problem: textOf(value?.problem),
    expires: dateOf(value?.expires_at),
  };
}

/** An object can be edited. @param {string} canonical that may be no JSON */
function isEditable(canonical) {
  try {
    return isRecord(JSON.parse(canonical));
  } catch {
    return false;
  }
}

/** @param {any} value a HumanInterrupt @param {Call["manner"]} manner @returns {Call} */
function callOf(value, manner) {
  const { config = {} } = value;
  const request = readRequest(value);
  return {
    ...request,
    // The problem is told once, for the whole question.
    problem: undefined,
    manner,
    callId: String(value.tool_call_id ?? value.id ?? ""),
    can: {
      accept: config.allow_accept !== false,
      edit: config.allow_edit === true && isEditable(request.canonical),
      say: config.allow_respond !== false,
      ignore: config.allow_ignore !== false,
    },
  };
}

/**
 * @param {any} value
 * @param {any[]} list of LangChain's action requests
 * @param {number} at
 * @returns {Call}
 */
function actionOf(value, list, at) {
  const { name, args, description, canonical, id, note, repaired } = list[at];
  const configs = value.review_configs ?? value.reviewConfigs;
  const config =
    (Array.isArray(configs) ? configs : []).find(
      (one) => (one?.action_name ?? one?.actionName) === name,
    ) ?? {};
  const allowed = config.allowed_decisions ?? config.allowedDecisions;
  const text = textOf(canonical) ?? JSON.stringify(args ?? list[at].arguments ?? null);
  const can = (/** @type {string} */ decision) =>
    !Array.isArray(allowed) || allowed.includes(decision);
  return {
    tool: name,
    canonical: text,
    description: textOf(description) ?? "",
    digest: textOf(value.digest),
    approvalId: undefined,
    canEdit: can("edit"),
    problem: undefined,
    note: textOf(note),
    repaired: repairsIn(repaired),
    expires: undefined,
    escalatedTo: textOf(value.escalated_to),
    schema: config.args_schema ?? config.argsSchema,
    manner: "review",
    callId: String(id ?? ""),
    can: {
      accept: can("approve"),
      edit: can("edit") && isEditable(text),
      say: can("reject") || can("respond"),
      ignore: can("reject"),
    },
  };
}

/** @param {Choice} choice */
const isPlain = ({ label, value }) => label === String(value);

/** @param {any} value @param {any} schema @returns {AskedOpen} */
function openOf(value, schema) {
  const choices = choicesOf(value, schema);
  if (typeof value === "string")
    return { kind: "open", text: value, details: undefined, schema, choices };
  const key = isRecord(value) ? TEXTS.find((one) => typeof value[one] === "string") : undefined;
  if (key === undefined) return { kind: "open", text: undefined, details: value, schema, choices };
  const { [key]: text, ...rest } = value;
  // What the buttons say is not said twice.
  const list = CHOICES.find((one) => Array.isArray(rest[one]));
  if (list !== undefined && choices.length > 0 && choices.every(isPlain)) delete rest[list];
  const details = Object.keys(rest).length === 0 ? undefined : rest;
  return { kind: "open", text, details, schema, choices };
}

/** @param {any} value @param {any} schema @returns {Choice[]} */
function choicesOf(value, schema) {
  const key = isRecord(value) ? CHOICES.find((one) => Array.isArray(value[one])) : undefined;
  const offered = key === undefined ? schemaChoices(schema) : value[key];
  if (!Array.isArray(offered) || offered.length === 0 || offered.length > MOST_CHOICES) return [];
  const found = offered.map(choiceOf);
  return found.every((one) => one !== undefined) ? found : [];
}

/** @param {any} schema @returns {unknown} */
function schemaChoices(schema) {
  if (schema?.type === "boolean")
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  if (Array.isArray(schema?.enum)) return schema.enum;
  const list = schema?.oneOf ?? schema?.anyOf;
  if (!Array.isArray(list) || !list.every((one) => isRecord(one) && "const" in one))
    return undefined;
  return list.map((one) => ({ label: one.title ?? String(one.const), value: one.const }));
}

/** @param {any} one @returns {Choice | undefined} */
function choiceOf(one) {
  if (["string", "number", "boolean"].includes(typeof one))
    return { label: cut(String(one)), value: one };
  const label = one?.label ?? one?.title ?? one?.name;
  if (typeof label !== "string" || !("value" in one || "id" in one)) return undefined;
  return { label: cut(label), value: "value" in one ? one.value : one.id };
}

/** @param {string} text */
const cut = (text) => (text.length > MOST_TITLE ? `${text.slice(0, MOST_TITLE)}…` : text);

/**
 * Says in a few words what a question is about.
 * @param {Asked} asked
 */
export function titleOf(asked) {
  if (asked.kind === "open") return cut(asked.text ?? "A question waits");
  const [first, ...more] = asked.calls;
  return more.length === 0 ? sentenceOf(first) : `${sentenceOf(first)}, and ${more.length} more`;
}

/**
 * Makes the answer to calls. What a record of it needs goes along where Weft keeps the record.
 * @param {AskedCalls} asked
 * @param {Decision[]} decisions one for each call, in their order
 * @returns {unknown}
 */
export function answerOf({ calls: list, form, isCamel, digest }, decisions) {
  const at = new Date().toISOString();
  if (form === "one") {
    const { tool, canonical } = list[0];
    return { ...oneAnswer(list[0], decisions[0]), tool, shown: canonical, at };
  }
  if (form === "list") return decisions.map((decision, place) => responseOf(list[place], decision));
  const said = { decisions: decisions.map((one, place) => decisionOf(list[place], one, isCamel)) };
  if (digest === undefined) return said;
  const shown = Object.fromEntries(list.map(({ callId, canonical }) => [callId, canonical]));
  const tool = Object.fromEntries(list.map(({ callId, tool: name }) => [callId, name]));
  return { ...said, digest, tool, shown, at };
}

/** @param {Call} call @param {Decision} decision */
function oneAnswer(call, decision) {
  if (decision.type === "accept") return acceptCall(call);
  if (decision.type === "edit") return editCall(call, decision.args);
  const text = decision.type === "say" ? decision.text : "";
  const { digest, approval_id } = rejectCall(call, text);
  return text !== "" && call.can.say
    ? rejectCall(call, text)
    : { type: "ignore", args: null, digest, ...(approval_id === undefined ? {} : { approval_id }) };
}

/** @param {Call} call @param {Decision} decision of Agent Inbox */
function responseOf({ tool }, decision) {
  if (decision.type === "accept") return { type: "accept", args: null };
  if (decision.type === "edit")
    return { type: "edit", args: { action: tool, args: decision.args } };
  return decision.type === "say"
    ? { type: "response", args: decision.text }
    : { type: "ignore", args: null };
}

/** @param {Call} call @param {Decision} decision @param {boolean} isCamel */
function decisionOf({ tool, can }, decision, isCamel) {
  if (decision.type === "accept") return { type: "approve" };
  if (decision.type === "edit")
    return {
      type: "edit",
      [isCamel ? "editedAction" : "edited_action"]: { name: tool, args: decision.args },
    };
  const text = decision.type === "say" ? decision.text : "";
  if (!can.ignore) return { type: "respond", message: text };
  return { type: "reject", ...(text === "" ? {} : { message: text }) };
}
