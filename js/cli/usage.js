// SPDX-License-Identifier: MIT
// What the command tells its user: how it is used, and a wrong use as one sentence.

export const HELP = `weftgraph serve [./graph.js ...]    serves graphs as an Agent Server
weftgraph studio [./graph.js ...]   the same, with a page that shows them at work
weftgraph studio <address>          the page alone, for graphs that another program serves there

  The default export of a module is served as "agent", its other exports that are graphs by their
  names. Without a module, those that langgraph.json of this folder names.

  --port <number>     where it listens: 2024, or 0 for any that is free
  --host <address>    of which interface: 127.0.0.1; beyond this machine only with --token
  --token <text>      what clients have to send, as x-api-key or Authorization: Bearer
                      (or WEFTGRAPH_TOKEN in the environment)
  --origin <origin>   of pages that may ask, besides those of this machine and the server's own;
                      also a name it is asked by, with --host; "*" for all; several
  --data <folder>     where threads are kept: .weft
  --memory            keeps threads in memory only

weftgraph --help, weftgraph --version
`;

/** A wrong use. Its message is a sentence that names the way out. */
export class UsageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "UsageError";
  }
}

/** @param {unknown} error @returns {string | undefined} */
export function codeOf(error) {
  const code = /** @type {{ code?: unknown } | undefined} */ (error)?.code;
  return typeof code === "string" ? code : undefined;
}

/** @param {unknown} error @returns {string} its name and message in one line */
export function lineOf(error) {
  return String(error).replaceAll(/\s*\n\s*/g, " ");
}
