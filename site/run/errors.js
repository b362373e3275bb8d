// SPDX-License-Identifier: MIT
// Says what went wrong in a program, and at which of its lines.

/**
 * @param {unknown} error
 * @returns {{ text: string, line?: number }} line: from 1, where the program itself is in the stack
 */
export function describeError(error) {
  if (!(error instanceof Error)) return { text: `Uncaught ${String(error)}` };
  const text = `${error.name}: ${error.message}`;
  const line = lineOf(error);
  return line === undefined ? { text } : { text, line };
}

/** @param {Error & { loc?: { line: number }, lineNumber?: number }} error */
function lineOf(error) {
  // The stripper of types says where the syntax is wrong.
  if (error.loc) return error.loc.line;
  const found = /blob:[^\s)]*?:(\d+):\d+/.exec(error.stack ?? "");
  return found ? Number(found[1]) : undefined;
}
