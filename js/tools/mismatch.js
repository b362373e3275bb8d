// SPDX-License-Identifier: MIT
// Makes the error for arguments that do not fit a schema which checks them itself.
import { ToolInputParsingException } from "./tool-result.js";

/** @typedef {{ message: string, path?: readonly (PropertyKey | { key: PropertyKey })[] }} Issue */

/**
 * @param {readonly Issue[]} issues
 * @param {unknown} input
 * @param {boolean} verbose with the schema's full details
 */
export function mismatch(issues, input, verbose) {
  const ordered = issues
    .map((issue) => ({ message: issue.message, path: pathOf(issue.path ?? []) }))
    .sort((a, b) => a.path.length - b.path.length);
  const lines = ordered.map(
    ({ message, path }) => `✖ ${message}${path.length > 0 ? `\n  → at ${pathText(path)}` : ""}`,
  );
  const details = verbose ? `\nDetails: ${JSON.stringify(issues, null, 2)}` : "";
  return new ToolInputParsingException(
    [`Received tool input did not match expected schema${details}`, lines.join("\n")]
      .filter(Boolean)
      .join("\n\n"),
    printed(input),
  );
}

/** @param {unknown} input */
function printed(input) {
  try {
    return JSON.stringify(input);
  } catch {
    return String(input);
  }
}

/** @param {NonNullable<Issue["path"]>} path @returns {PropertyKey[]} */
function pathOf(path) {
  return path.map((part) => (part !== null && typeof part === "object" ? part.key : part));
}

/** @param {PropertyKey[]} path */
function pathText(path) {
  let text = "";
  for (const part of path) {
    if (typeof part === "string" && /^[A-Za-z_$][\w$]*$/.test(part))
      text += text === "" ? part : `.${part}`;
    else text += typeof part === "string" ? `[${JSON.stringify(part)}]` : `[${String(part)}]`;
  }
  return text;
}
