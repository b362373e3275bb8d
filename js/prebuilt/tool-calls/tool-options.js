// SPDX-License-Identifier: MIT
// Reads Weft's options of any tool: from its own properties, or from lc_kwargs, where LangChain's
// tool() keeps its options. Does not depend on how tools run.
import { makeError } from "../../base/errors.js";
import { checkArgument, isObject, shown } from "../../base/check-arguments.js";
import { ERR_APPROVAL } from "../../base/codes.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {"auto" | "ask" | "deny"} Verdict */
/** @typedef {Verdict | ((args: unknown, state: unknown) => unknown)} Policy */

const POLICIES = ["auto", "ask", "deny"];
/** What other libraries call an approval. */
const OTHER_NAMES = ["needsApproval", "requiresApproval", "requireApproval"];

/** Reads an option of a tool. @param {ToolLike} tool @param {string} name @returns {Value} */
export function optionOf(tool, name) {
  return tool[name] ?? tool.lc_kwargs?.[name];
}

/**
 * Checks the options of a node that handles tool calls.
 * @param {{ name?: unknown, messagesKey?: unknown, tags?: unknown, approvals?: Value, repair?:
 *   unknown } | undefined} options
 * @param {string} what name of the node in error texts
 */
export function checkNodeOptions(options, what) {
  if (options === undefined) return;
  checkArgument(isObject(options), `${what}: options must be an object`);
  const { name, messagesKey, tags, approvals, repair } = options;
  checkArgument(
    ["each", "batch", undefined].includes(approvals?.mode ?? approvals),
    `${what}: approvals must be "each", "batch" or approvalRules()`,
  );
  checkArgument(
    repair === undefined || typeof repair === "function",
    `${what}: repair must be a function, as repairBySchema of weftgraph/tools`,
  );
  checkArgument((name ?? "") === "" || typeof name === "string", `${what}: name must be a text`);
  checkArgument(
    (messagesKey ?? "") === "" || typeof messagesKey === "string",
    `${what}: messagesKey must be a text`,
  );
  checkArgument(
    (tags ?? undefined) === undefined || Array.isArray(tags),
    `${what}: tags must be a list of texts`,
  );
}

/**
 * Refuses a tool that says by another library's name that it must not run unasked.
 * @param {ToolLike} tool
 */
export function refuseOtherNames(tool) {
  const other = OTHER_NAMES.find((name) => optionOf(tool, name));
  if (other !== undefined)
    throw makeError(ERR_APPROVAL, [`"${tool.name}"`, `${other} is no option here: use approval`]);
}

/**
 * Returns the approval policy of a tool.
 * @param {ToolLike} tool
 * @param {unknown} fallback policy of the node
 * @returns {Policy}
 */
export function approvalOf(tool, fallback) {
  const policy = optionOf(tool, "approval") ?? fallback ?? "auto";
  return typeof policy === "function" ? policy : checkPolicy(policy, tool.name);
}

/**
 * Throws unless the policy is known.
 * @param {unknown} policy
 * @param {string} name of the tool
 * @returns {Verdict}
 */
export function checkPolicy(policy, name) {
  if (!POLICIES.includes(/** @type {string} */ (policy)))
    throw makeError(ERR_APPROVAL, [
      `"${name}"`,
      `its policy is ${shown(policy)}, not "auto", "ask" or "deny"`,
    ]);
  return /** @type {Verdict} */ (policy);
}

/**
 * Refuses two tools with names that look alike if one needs approval: a person would approve one
 * and run the other.
 * @param {readonly ToolLike[]} tools
 * @param {readonly unknown[]} policies
 */
export function refuseNamesakes(tools, policies) {
  const seen = new Map();
  for (const [index, { name }] of tools.entries()) {
    const seenAs = name
      .normalize("NFKC")
      .replace(/[\p{Cf}\p{Z}\s]/gu, "")
      .toLowerCase();
    const other = seen.get(seenAs);
    if (other !== undefined && (policies[index] !== "auto" || policies[other] !== "auto"))
      throw makeError(ERR_APPROVAL, [`"${name}"`, "two tools have this name"]);
    if (other === undefined) seen.set(seenAs, index);
  }
}
