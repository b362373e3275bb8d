// SPDX-License-Identifier: MIT
// T25's planted bugs: a change of the sources for each way past an approval that there was. They
// are put in as the modules are loaded, so what is to have one is imported afterwards.
import { register } from "node:module";

/**
 * What each does, and where: [file, text, what stands there instead].
 * @type {Record<string, { what: string, changes: [string, string, string][] }>}
 */
export const BUGS = {
  1: {
    what: "a schema reads the arguments behind the approval",
    changes: [
      [
        "prebuilt/approval/bound-call.js",
        "function readerOf(tool) {",
        "function readerOf(tool) {\n  return undefined;",
      ],
    ],
  },
  2: {
    what: "an approval is not bound to the schema",
    changes: [["prebuilt/tool-calls/tool-definition.js", "...boundDefinition(tool, schema),", ""]],
  },
  3: {
    what: "a wrapper gets the call that runs",
    changes: [
      [
        "prebuilt/tool-node/changed-calls.js",
        "bound === undefined ? request : node._decided.requestOf(job, config)",
        "request",
      ],
      [
        "prebuilt/tool-node/changed-calls.js",
        "bound === undefined ? call === request : bound.isSame(call)",
        "call === request",
      ],
      [
        "prebuilt/tool-node/tool-node.js",
        "? runChanged(this, call, config, state)",
        "? this.#invoke(undefined, call, config, state)",
      ],
    ],
  },
  4: {
    what: "a policy gets the arguments that run",
    changes: [
      ["prebuilt/approval/bound-call.js", "return copyValue(this.#held);", "return this.#held;"],
    ],
  },
  5: {
    what: "a plan names a tool by its place",
    changes: [
      [
        "prebuilt/tool-node/tool-node.js",
        "bound.callee.invoke(",
        "(this.tools[job.outcome.tool] === bound.tool ? bound.callee : this.tools[job.outcome.tool]).invoke(",
      ],
    ],
  },
  6: {
    what: "the policies of a review get arguments that nobody has read",
    changes: [
      [
        "prebuilt/agent/review-tool-calls.js",
        "const policy = await verdictOf(option, bound, desk.state);",
        'const policy = typeof option === "function" ? await option(item.call.args, desk.state) : option;',
      ],
    ],
  },
  7: {
    what: "an answer for a request that does not wait counts as one without an id",
    changes: [
      ["calls/resume-check.js", "if (unknown.length === 0) return;", "return;"],
      ["prebuilt/approval/approval-log.js", "&& given !== NONE", "|| true"],
    ],
  },
  8: {
    what: "options of a tool from elsewhere are not seen",
    changes: [
      ["prebuilt/tool-calls/tool-options.js", "tool[name] ?? tool.lc_kwargs?.[name]", "tool[name]"],
    ],
  },
  9: {
    what: "an answer that is given again counts for the next question",
    changes: [
      [
        "prebuilt/approval/approval-log.js",
        "shown === undefined ? 0 : DECIDED_NAMED",
        "DECIDED_NAMED",
      ],
    ],
  },
  10: {
    what: "one decision counts for all calls of a question",
    changes: [["prebuilt/approval/ask-together.js", "readAnswer(said[at]", "readAnswer(said[0]"]],
  },
  11: {
    what: "a question about several calls is not bound to them",
    changes: [["prebuilt/approval/ask-together.js", "texts = calls.map(", "texts = [].map("]],
  },
};

const HOOK = `
const changes = CHANGES;
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const wanted = changes.filter(([file]) => url.endsWith("/js/" + file));
  if (wanted.length === 0) return loaded;
  let source = Buffer.from(loaded.source).toString();
  for (const [file, text, other] of wanted) {
    if (!source.includes(text)) throw new Error("js/" + file + " has no place for the bug: " + text);
    source = source.replace(text, () => other);
  }
  return { ...loaded, source };
}`;

/** @param {string} bug its number */
export function plant(bug) {
  register(
    `data:text/javascript,${encodeURIComponent(HOOK.replace("CHANGES", () => JSON.stringify(BUGS[bug].changes)))}`,
  );
}
