// SPDX-License-Identifier: MIT
// Asks a person about the tool calls of the model's answer, before any of them runs. The decisions
// are bound to the calls as they were shown (prebuilt/approval). Works after an `await` in a tab
// too, since it interrupts by the runtime. Does not depend on how tools run.
import { currentConfig, scopeOf } from "../../base/ambient.js";
import {
  checkArgument,
  isListOf,
  isObject,
  isRecord,
  refuseUnknown,
  shown,
} from "../../base/check-arguments.js";
import { OK, PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { ToolMessage } from "../../messages/index.js";
import { askTogether } from "../../prebuilt/approval/ask-together.js";
import { allowedBy, hitlRequest } from "../../prebuilt/approval/approval-request.js";
import { askPerson, bindEdit } from "../../prebuilt/approval/approval.js";
import { scopeName, wasAsked } from "../../prebuilt/approval/asked-calls.js";
import { bindCall, checkStable } from "../../prebuilt/approval/bound-call.js";
import { reviewMark } from "../../prebuilt/approval/review-mark.js";
import { withCalls } from "../../prebuilt/tool-calls/edited-calls.js";
import { warnIdleRules } from "../../prebuilt/tool-calls/idle-rules.js";
import { openCalls } from "../../prebuilt/tool-calls/open-calls.js";
import { toolDefinition } from "../../prebuilt/tool-calls/tool-definition.js";
import { Toolset } from "../../prebuilt/tool-calls/toolset.js";
import { rejectAnswer } from "../../run/tasks/engine-queries.js";
import { Ledger } from "../../run/tasks/ledger.js";
import { RENEW } from "../../tools/tool-result.js";
import { createMiddleware } from "../create-middleware.js";
import { ToolInvocationError } from "../errors.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../prebuilt/approval/approval.js").Decision} Decision */
/** @typedef {import("../../prebuilt/approval/approval.js").Desk} Desk */
/** @typedef {import("../../prebuilt/tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../../prebuilt/tool-calls/toolset.js").Outcome} Outcome */
/** @typedef {import("../../prebuilt/approval/bound-call.js").BoundCall} BoundCall */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/**
 * When a person is asked about calls of a tool, and how.
 * @typedef {{ allowedDecisions: readonly string[], description?: string | ((call: object, state:
 *   AgentState, runtime: Runtime) => unknown), argsSchema?: unknown, when?: (request: object) =>
 *   unknown }} Rule
 */
/** @typedef {import("../../prebuilt/agent/agent-model.js").AgentState} AgentState */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../types/agent/create-middleware.js").AgentRuntime} Runtime */
/** @typedef {{ call: OpenCall, outcome: Outcome, bound?: BoundCall, text?: string }} Item */

const CALL = "humanInTheLoopMiddleware(options)";
const OPTIONS = ["interruptOn", "descriptionPrefix", "approvals"];
const RULE = ["allowedDecisions", "description", "argsSchema", "when"];
const DECISIONS = ["approve", "edit", "reject"];
/** How each is written. @type {Record<string, string>} */
const FORMS = {
  approve: '{ type: "approve" }',
  edit: '{ type: "edit", editedAction: { name, args } }',
  reject: '{ type: "reject", message }',
};
const PREFIX = "Tool execution requires approval";

/** Plans calls by the agent's tools; of one that only a wrapper knows, the name is known. */
class NamedTools {
  /** @param {readonly ToolLike[]} tools of the agent */
  constructor(tools) {
    this.tools = [...tools];
  }

  /** @type {Toolset["plan"]} */
  plan(calls, mode, scope) {
    const names = [...new Set(calls.map(({ name }) => name))];
    const used = names.map((name) => this.#find(name));
    const toolset = new Toolset(
      used.map((tool) => toolDefinition(tool, "ask")),
      used,
    );
    const outcomes = toolset.plan(calls, mode, scope);
    toolset.handle.free();
    return outcomes.map((outcome) => ({
      ...outcome,
      tool: outcome.status === OK ? this.tools.indexOf(used[outcome.tool]) : outcome.tool,
    }));
  }

  /** @param {string} name @returns {ToolLike} */
  #find(name) {
    const known = this.tools.find((tool) => tool.name === name);
    if (known !== undefined) return known;
    const tool = /** @type {ToolLike} */ ({ name });
    this.tools.push(tool);
    return tool;
  }
}

/**
 * Makes a middleware that asks a person about calls of tools.
 * @param {import("../../types/agent/middleware.js").HumanInTheLoopOptions} options
 */
export function humanInTheLoopMiddleware(options) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const { interruptOn, descriptionPrefix = PREFIX, approvals } = options;
  checkArgument(
    typeof descriptionPrefix === "string",
    `${CALL}: options.descriptionPrefix must be a text`,
  );
  checkArgument(
    approvals === undefined || isObject(approvals.rules),
    `${CALL}: options.approvals must be approvalRules() of weftgraph/approval`,
  );
  const rules = readRules(interruptOn);
  return createMiddleware({
    name: "HumanInTheLoopMiddleware",
    afterModel: {
      canJumpTo: ["model"],
      reviews: [...rules.keys()],
      hook: (state, runtime, tools) =>
        // The config of the node is known only before the first `await`.
        review(state, /** @type {Runtime} */ (runtime), {
          rules,
          prefix: descriptionPrefix,
          approvals: /** @type {Desk["rules"]} */ (approvals?.rules),
          config: currentConfig(),
          tools: tools ?? [],
        }),
    },
  });
}

/** @param {string} name */
const where = (name) => `${CALL}: options.interruptOn["${name}"]`;

/** @param {unknown} interruptOn @returns {Map<string, Rule>} */
function readRules(interruptOn) {
  checkArgument(
    isRecord(interruptOn),
    `${CALL}: options.interruptOn must be an object of rules by the tool's name`,
  );
  const rules = new Map();
  for (const [name, rule] of Object.entries(/** @type {Record<string, unknown>} */ (interruptOn))) {
    if (rule === false) continue;
    if (rule === true) rules.set(name, { allowedDecisions: DECISIONS });
    else {
      const { allowedDecisions, description, when } = isRecord(rule) ? rule : {};
      refuseUnknown(Object(rule), where(name), RULE);
      checkArgument(
        isListOf(allowedDecisions, (one) => DECISIONS.includes(one)) &&
          /** @type {unknown[]} */ (allowedDecisions).length > 0,
        `${where(name)} must be true, false or have allowedDecisions of "approve", "edit", "reject"`,
      );
      checkArgument(
        description === undefined || ["string", "function"].includes(typeof description),
        `${where(name)}.description must be a text or a function`,
      );
      checkArgument(
        when === undefined || typeof when === "function",
        `${where(name)}.when must be a function`,
      );
      rules.set(name, rule);
    }
  }
  return rules;
}

/**
 * Refuses a rule that is for no tool, if a tool that has none is called almost the same; warns of
 * others.
 * @param {Map<string, Rule>} rules
 * @param {readonly ToolLike[]} tools
 */
function checkNames(rules, tools) {
  const names = new Set(tools.map(({ name }) => name));
  const idle = [...rules.keys()].filter((rule) => !names.has(rule));
  if (idle.length === 0) return;
  const bare = (/** @type {string} */ name) => name.replace(/[\s_.-]/g, "").toLowerCase();
  for (const name of names) {
    const near = rules.has(name) ? undefined : idle.find((rule) => bare(rule) === bare(name));
    checkArgument(
      near === undefined,
      `${where(String(near))} is for no tool: the tool is "${name}"`,
    );
  }
  warnIdleRules(Object.fromEntries(rules), tools, `${CALL}: options.interruptOn`);
}

/**
 * Asks about the open calls that need it.
 * @param {AgentState} state
 * @param {Runtime} runtime
 * @param {{ rules: Map<string, Rule>, prefix: string, config: Config | undefined, tools: readonly
 *   ToolLike[], approvals: Desk["rules"] }} given
 * @returns {Promise<object | undefined>} the update of the state
 */
async function review(state, runtime, { rules, prefix, config, tools, approvals }) {
  checkNames(rules, tools);
  if (rules.size === 0 || state.messages.length === 0) return;
  const { message, calls } = openCalls(state.messages);
  const named = calls.filter(({ name }) => rules.has(name));
  if (named.length === 0) return;
  const scope = scopeOf(config);
  await Promise.all(tools.map((tool) => tool[RENEW]?.(named, scope)));
  const toolset = new NamedTools(tools);
  const words = scopeName(message, config);
  const outcomes = toolset.plan(
    named.map(({ name, args, id }) => ({ name, args, id })),
    PLAN_RAW | PLAN_DIGEST,
    words,
  );
  /** @param {string} name @param {unknown} args @param {string} id */
  const isAsked = async (name, args, id) => {
    const rule = rules.get(name);
    if (rule === undefined) return false;
    if (rule.when === undefined) return true;
    const toolCall = { name, args, id, type: "tool_call" };
    const answer = await rule.when({ toolCall, tool: undefined, state, runtime });
    if (typeof answer !== "boolean")
      throw new TypeError(
        `${where(name)}.when must return true or false, not ${shown(answer)}: nothing ran`,
      );
    return answer;
  };
  /** @type {Item[]} */
  const items = [];
  /** Changes of the calls that nobody is asked about. @type {Map<OpenCall, object>} */
  const free = new Map();
  for (const [at, call] of named.entries()) {
    const outcome = outcomes[at];
    const bound = outcome.status === OK ? await bind(toolset, outcome, words) : outcome.text;
    // Arguments that cannot be read are the model's fault: it gets the error.
    if (typeof bound === "string") items.push({ call, outcome, text: bound });
    else if (
      // A call that was presented gets its answer, whatever `when` says now.
      wasAsked(scope, outcome.id, call.name) ||
      (await isAsked(call.name, bound.args, outcome.id))
    ) {
      await checkStable(bound, outcome);
      items.push({ call, outcome, bound });
    } else {
      const { tool, outcome: read } = bound;
      free.set(call, { id: read.id, reviewed: reviewMark(read, tool, message, config) });
    }
  }
  const asked = items.flatMap(({ bound }) => (bound === undefined ? [] : [bound]));
  /** @type {Desk} */
  const desk = {
    catalog: { toolset, policies: [] },
    interrupt: runtime.interrupt,
    verdictOf: async (_tool, { name, args, outcome }) =>
      (await isAsked(name, args, outcome.id)) ? "ask" : "auto",
    scope: words,
    ledger: Ledger.of(scope?.task),
    task: /** @type {Desk["task"]} */ (scope?.task),
    rules: approvals,
    view: viewOf(rules, prefix, state, runtime),
  };
  const decisions = await ask(desk, asked, () => {
    if (scope !== undefined) rejectAnswer(scope.task.run, scope.task);
  });
  return updateOf(items, decisions, { message, calls, config, desk, changes: free });
}

/**
 * Binds a call as its tool's schema reads it: what a person is shown is what runs.
 * @param {NamedTools} toolset
 * @param {Outcome} outcome
 * @param {string} scope identifies the message
 * @returns {Promise<BoundCall | string>} or what the model is told of arguments that do not fit
 */
async function bind(toolset, outcome, scope) {
  try {
    return await bindCall(toolset, toolset.tools[outcome.tool], outcome, scope);
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error)?.code === "APPROVAL") throw error;
    const call = /** @type {ToolCall} */ (outcome);
    return new ToolInvocationError(error, call).message;
  }
}

/** @param {Desk} desk @param {readonly BoundCall[]} calls @param {() => void} reject */
async function ask(desk, calls, reject) {
  if (calls.length > 1) return askTogether(desk, calls, reject);
  return calls.length === 0 ? [] : [await askPerson(desk, calls[0])];
}

/**
 * @param {Map<string, Rule>} rules
 * @param {string} prefix
 * @param {AgentState} state
 * @param {Runtime} runtime
 * @returns {NonNullable<Desk["view"]>}
 */
function viewOf(rules, prefix, state, runtime) {
  /** @param {BoundCall} bound */
  const allowed = ({ name }) => allowedBy(rules.get(name)?.allowedDecisions ?? DECISIONS);
  return {
    allowed,
    async describe(bound) {
      const { name, request } = bound;
      const { args } = bound.outcome;
      const { description } = rules.get(name) ?? {};
      const said =
        typeof description === "function"
          ? await description(request, state, runtime)
          : (description ?? `${prefix}\n\nTool: ${name}\nArgs: ${JSON.stringify(args, null, 2)}`);
      return { description: String(said), config: allowed(bound) };
    },
    form: (request) =>
      /** @type {typeof request} */ (
        hitlRequest(
          withForms(/** @type {Parameters<typeof hitlRequest>[0]} */ (request)),
          (name) => rules.get(name)?.argsSchema,
        )
      ),
    rejection: ({ name, outcome: { id } }, reason) =>
      reason.trim() === "" ? `User rejected the tool call for \`${name}\` with id ${id}` : reason,
  };
}

/**
 * Adds to what is wrong with an answer how answers are written here.
 * @template {{ review_configs: { allowed_decisions: string[] }[], problem?: string }} Asked
 * @param {Asked} request
 * @returns {Asked}
 */
function withForms(request) {
  const { problem, review_configs } = request;
  if (problem === undefined) return request;
  const allowed = new Set(review_configs.flatMap((one) => one.allowed_decisions));
  const forms = [...allowed].map((type) => FORMS[type]).join(" or ");
  return { ...request, problem: `${problem} Answer { decisions: [${forms}] }, one for each call.` };
}

/**
 * Applies the decisions: approved calls are marked, edited ones replaced, rejected ones answered.
 * @param {readonly Item[]} items
 * @param {readonly Decision[]} decisions about the items with a bound call, in order
 * @param {{ message: Message, calls: readonly OpenCall[], config: Config | undefined, desk: Desk,
 *   changes: Map<OpenCall, object> }} context `changes`: of other calls of the message
 */
async function updateOf(items, decisions, { message, calls, config, desk, changes }) {
  const { catalog, scope } = desk;
  const left = [...decisions];
  const answers = [];
  for (const { call, outcome, bound, text: fault } of items) {
    const decision = bound === undefined ? undefined : left.shift();
    const text = decision !== undefined && "text" in decision ? decision.text : fault;
    const { id, reassigned } = outcome;
    if (text !== undefined) {
      answers.push(
        new ToolMessage({ content: text, name: call.name, tool_call_id: id, status: "error" }),
      );
      if (reassigned) changes.set(call, { id });
      continue;
    }
    const edit = decision !== undefined && "edit" in decision ? decision.edit : undefined;
    const decided =
      edit === undefined ? bound : await bindEdit(catalog.toolset, outcome, edit, scope);
    if (typeof decided === "string") throw new Error(decided); // it was read before
    const { tool, outcome: read } = /** @type {BoundCall} */ (decided);
    const reviewed = reviewMark({ ...read, id }, tool, message, config);
    // The arguments stay as they were written: the tool's schema reads them once more.
    changes.set(call, { ...(edit ?? { args: outcome.args }), id, reviewed });
  }
  const messages = changes.size === 0 ? answers : [withCalls(message, changes), ...answers];
  // With no call left to run the model goes on at once, past the hooks before this one.
  return answers.length > 0 && answers.length === calls.length
    ? { messages, jumpTo: "model" }
    : { messages };
}
