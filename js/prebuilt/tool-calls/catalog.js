// SPDX-License-Identifier: MIT
// Keeps the tools of a node in the form in which its calls are planned: known to the engine, each
// with its policy of approval. Does not depend on how calls run.
import { ERR_ARGUMENT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { toolDefinition } from "./tool-definition.js";
import { approvalOf, optionOf, refuseNamesakes, refuseOtherNames } from "./tool-options.js";
import { Toolset } from "./toolset.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("./tool-options.js").Policy} Policy */
/**
 * The node's tools when its calls were planned. `policies`: by tool; `asks`: whether any tool needs
 * a decision.
 * @typedef {{ toolset: Toolset, policies: readonly Policy[], asks: boolean }} Catalog
 */

export const NO_TOOLS = "tools have name and invoke()";

/** The catalog of a list of tools, which is made anew when the list or a tool has changed. */
export class Catalogs {
  /** The tool parts that the catalog was made from. @type {unknown[][]} */
  #known = [];
  /** @type {Catalog | undefined} */
  #catalog;

  /**
   * @param {readonly ToolLike[]} tools
   * @param {unknown} approval the node's own policy
   * @returns {Catalog}
   * @throws WeftError ARGUMENT for what is no tool
   */
  of(tools, approval) {
    const parts = tools.map((tool) => described(tool, policyOf(tool, approval)));
    const isKnown =
      this.#known.length === parts.length &&
      parts.every((list, index) => list.every((part, at) => part === this.#known[index][at]));
    if (!isKnown || this.#catalog === undefined) {
      this.#catalog = makeCatalog(tools, approval);
      this.#known = parts;
    }
    return this.#catalog;
  }
}

/** @param {ToolLike} tool @param {unknown} approval */
function policyOf(tool, approval) {
  if (typeof tool?.name !== "string" || typeof tool.invoke !== "function")
    throw makeError(ERR_ARGUMENT, [NO_TOOLS]);
  return approvalOf(tool, approval);
}

/** @param {readonly ToolLike[]} tools @param {unknown} approval @returns {Catalog} */
function makeCatalog(tools, approval) {
  tools.forEach(refuseOtherNames);
  const policies = tools.map((tool) => policyOf(tool, approval));
  const asks = policies.some((policy) => policy !== "auto");
  if (asks) refuseNamesakes(tools, policies);
  return {
    toolset: new Toolset(
      tools.map((tool, index) => toolDefinition(tool, policies[index])),
      tools,
    ),
    policies,
    asks,
  };
}

/** Lists what affects the judging of its calls. @param {ToolLike} tool @param {unknown} policy */
function described(tool, policy) {
  return [
    tool,
    tool.name,
    tool.schema,
    tool.description,
    policy,
    optionOf(tool, "version"),
    tool.injected,
  ];
}
