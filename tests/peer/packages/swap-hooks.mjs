// SPDX-License-Identifier: MIT
// What a package manager's override does: `@langchain/langgraph` and its subpaths are those of
// weftgraph.
const PEER = /^@langchain\/langgraph(?=\/|$)/;
const parentURL = new URL("../../../package.json", import.meta.url).href;

export function resolve(specifier, context, next) {
  return PEER.test(specifier)
    ? next(specifier.replace(PEER, "weftgraph"), { ...context, parentURL })
    : next(specifier, context);
}
