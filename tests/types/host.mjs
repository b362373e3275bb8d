// SPDX-License-Identifier: MIT
// A compiler's host whose programs share what they have parsed. Only for options that mean the same
// files, in the same form.
import ts from "typescript";

const parsed = new Map();

/** @param {import("typescript").CompilerOptions} options */
export function sharedHost(options) {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...how) => {
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...how));
    return parsed.get(name);
  };
  return host;
}
