// SPDX-License-Identifier: MIT
// Reads the words of `weftgraph serve` and refuses what cannot be served or should not be: a port
// that is none, an address beyond this machine without a token.
import { parseArgs } from "node:util";
import { readURL } from "../base/check-arguments.js";
import { isLoopback } from "./guard.js";
import { UsageError, codeOf } from "./usage.js";

/**
 * `origins`: of pages that may ask, undefined: all; `data`: undefined: memory.
 * @typedef {{ modules: string[], port: number, host: string, token: string | undefined, origins:
 *   string[] | undefined, data: string | undefined }} ServeOptions
 */

/** @type {import("node:util").ParseArgsConfig["options"]} */
const OPTIONS = {
  port: { type: "string" },
  host: { type: "string" },
  token: { type: "string" },
  origin: { type: "string", multiple: true },
  data: { type: "string" },
  memory: { type: "boolean" },
};

/**
 * @param {string[]} words behind `serve`
 * @param {{ WEFTGRAPH_TOKEN?: string }} env
 * @returns {ServeOptions}
 * @throws UsageError
 */
export function readServeOptions(words, env) {
  const { values, positionals } = parsed(words);
  const text = (/** @type {string} */ name) => /** @type {string | undefined} */ (values[name]);
  const host = (text("host") ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  const token = text("token") ?? env.WEFTGRAPH_TOKEN;
  if (token === "") throw new UsageError("The token is empty: give --token a long random text.");
  if (token === undefined && !isLoopback(host))
    throw new UsageError(
      `At ${host} others could run your graphs: give --token a long random text that clients have to send, or leave --host out.`,
    );
  if (values.memory === true && text("data") !== undefined)
    throw new UsageError("--memory keeps threads in no folder: leave it out, or --data.");
  return {
    modules: positionals,
    port: portOf(text("port") ?? "2024"),
    host,
    token,
    origins: originsOf(/** @type {string[]} */ (values.origin ?? [])),
    data: values.memory === true ? undefined : (text("data") ?? ".weft"),
  };
}

/**
 * @param {string[]} words
 * @returns {{ values: Record<string, unknown>, positionals: string[] }}
 */
function parsed(words) {
  try {
    return parseArgs({ args: words, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (codeOf(error)?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
    const [, name = words.join(" ")] =
      /'(-[\w-]+)/.exec(/** @type {Error} */ (error).message) ?? [];
    throw new UsageError(
      codeOf(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION"
        ? `There is no option ${name}: weftgraph --help lists them.`
        : `${name} is not given as it has to be: weftgraph --help shows how.`,
    );
  }
}

/** @param {string} text */
function portOf(text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(
    `There is no port ${JSON.stringify(text)}: give --port a number from 0 to 65535.`,
  );
}

/** @param {string[]} given */
function originsOf(given) {
  if (given.includes("*")) return undefined;
  return given.map((text) => {
    const origin = readURL(text)?.origin ?? "null";
    if (origin !== "null") return origin;
    throw new UsageError(
      `There is no origin ${JSON.stringify(text)}: give --origin an address such as https://example.com.`,
    );
  });
}
