// SPDX-License-Identifier: MIT
// Finds the graphs to serve: in the modules that are named, or in those of langgraph.json.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as util from "node:util";
import { UsageError, codeOf, lineOf } from "./usage.js";

/** @typedef {Record<string, unknown>} Exports */
/** @typedef {import("weftgraph/server").ServedGraph} ServedGraph */

const MANIFEST = "langgraph.json";
/** The name of a default export. */
const DEFAULT_ID = "agent";
/** Node's code of a process that ends although something is awaited. */
const UNSETTLED = 13;
/** What a module of CommonJS exports besides, when it is imported. */
const NO_NAMES = ["default", "module.exports", "__esModule"];

/**
 * @param {string[]} modules their paths; none: langgraph.json says which
 * @param {string} folder that paths start from
 * @returns {Promise<Record<string, ServedGraph>>} by the names that clients call them by
 * @throws UsageError
 */
export async function loadGraphs(modules, folder) {
  if (modules.length === 0) return loadManifest(folder);
  /** @type {Map<string, { graph: ServedGraph, value: unknown, path: string }>} */
  const found = new Map();
  for (const path of modules) {
    const graphs = await load(path, folder, (exported) => graphsOf(exported, path));
    if (graphs.length === 0)
      throw new UsageError(
        `${path} exports no graph: export what compile() or createReactAgent() gives, or a function that makes it as the default export.`,
      );
    for (const [id, value, graph] of graphs) {
      const known = found.get(id);
      if (known !== undefined && known.value !== value)
        throw new UsageError(
          `${known.path} and ${path} both have a graph ${JSON.stringify(id)}: name each in ${MANIFEST}.`,
        );
      found.set(id, { graph, value, path });
    }
  }
  return Object.fromEntries([...found].map(([id, { graph }]) => [id, graph]));
}

/**
 * @param {Exports} exported
 * @param {string} path of the module
 * @returns {Promise<[id: string, value: unknown, graph: ServedGraph][]>}
 */
async function graphsOf(exported, path) {
  const main = await exported.default;
  // What CommonJS exports is the default, with its names as fields.
  const beside = isGraphLike(main) || typeof main !== "object" || main === null ? {} : main;
  /** @type {[string, unknown, ServedGraph][]} */
  const found = [];
  if (isGraphLike(main) || typeof main === "function")
    found.push([DEFAULT_ID, main, asGraph(main, path)]);
  for (const [name, one] of Object.entries({ ...beside, ...exported })) {
    const value = await one;
    if (!NO_NAMES.includes(name) && isGraphLike(value))
      found.push([name, value, asGraph(value, path)]);
  }
  return found;
}

/** @param {string} folder */
async function loadManifest(folder) {
  const path = join(folder, MANIFEST);
  if (!existsSync(path))
    throw new UsageError(
      `Say which graphs to serve: give their module, such as ./graph.js, or name them in a ${MANIFEST} of this folder.`,
    );
  const manifest = readManifest(path);
  readEnv(manifest.env, folder);
  /** @type {[string, ServedGraph][]} */
  const graphs = [];
  for (const [id, place] of Object.entries(manifest.graphs)) {
    const [, file, name = "default"] =
      /^(.+?)(?::([^:/\\]+))?$/.exec(typeof place === "string" ? place : place.path) ?? [];
    const value = await load(
      file,
      folder,
      async (exported) =>
        exported[name] ?? /** @type {Exports | undefined} */ (exported.default)?.[name],
    );
    if (!isGraphLike(value) && typeof value !== "function")
      throw new UsageError(
        `${file} exports no graph ${JSON.stringify(name)}: ${MANIFEST} has to name an export that is a graph, or a function that makes one, for ${JSON.stringify(id)}.`,
      );
    graphs.push([id, asGraph(value, file)]);
  }
  return Object.fromEntries(graphs);
}

/**
 * @param {string} path
 * @returns {{ graphs: Record<string, string | { path: string }>, env?: unknown }}
 */
function readManifest(path) {
  const wrong = new UsageError(
    `${MANIFEST} has to be JSON such as { "graphs": { "agent": "./graph.js:agent" } }: mend it, or name a module.`,
  );
  /** @type {{ graphs?: object }} */
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw wrong;
  }
  const places = Object.values(manifest?.graphs ?? {});
  const isPlace = (/** @type {unknown} */ place) =>
    (typeof place === "string" && place !== "") ||
    typeof (/** @type {{ path?: unknown } | null} */ (place)?.path) === "string";
  if (places.length === 0 || !places.every(isPlace)) throw wrong;
  return /** @type {ReturnType<typeof readManifest>} */ (manifest);
}

/** @param {unknown} env a file, or values @param {string} folder */
function readEnv(env, folder) {
  if (env === undefined || env === null) return;
  /** @type {Record<string, unknown>} */
  let values;
  if (typeof env !== "string") values = /** @type {Record<string, unknown>} */ (env);
  else {
    const path = resolve(folder, env);
    if (!existsSync(path))
      throw new UsageError(
        `${MANIFEST} names ${env}, which is not there: make it, or take "env" out.`,
      );
    if (typeof util.parseEnv !== "function")
      throw new UsageError(
        `Node ${process.versions.node} cannot read ${env}: use Node 20.12 or newer, or take "env" out of ${MANIFEST}.`,
      );
    values = util.parseEnv(readFileSync(path, "utf8"));
  }
  // What the environment has already counts, as with node --env-file.
  for (const [name, value] of Object.entries(values)) process.env[name] ??= String(value);
}

/**
 * @template Found
 * @param {string} path
 * @param {string} folder
 * @param {(exported: Exports) => Promise<Found>} find what is needed of the module
 * @returns {Promise<Found>}
 */
async function load(path, folder, find) {
  const file = resolve(folder, path);
  if (!existsSync(file))
    throw new UsageError(
      `There is no ${path}: give the path of the module that exports your graphs.`,
    );
  const tell = () => {
    if (process.exitCode !== UNSETTLED) return;
    console.error(`weftgraph: ${path} awaits what never comes when it is loaded, mend it.`);
    process.exitCode = 2;
  };
  /** @type {(error: unknown) => void} */
  let fail = () => {};
  // A promise that the module exports may fail before anybody awaits it.
  const failed = new Promise((_, reject) => (fail = reject));
  process.on("exit", tell).on("unhandledRejection", fail);
  try {
    const found = import(pathToFileURL(file).href).then(find);
    return /** @type {Found} */ (await Promise.race([found, failed]));
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(whyNot(path, file, error));
  } finally {
    process.off("exit", tell).off("unhandledRejection", fail);
  }
}

/** @param {string} path as it was given @param {string} file @param {unknown} error */
function whyNot(path, file, error) {
  const line = lineOf(error);
  const missing = /Cannot find package '([^']+)'/.exec(line)?.[1];
  if (codeOf(error) === "ERR_MODULE_NOT_FOUND" && missing !== undefined)
    return `${path} imports ${missing}, which is not installed: npm install ${missing}.`;
  if (codeOf(error) === "ERR_UNKNOWN_FILE_EXTENSION")
    return `Node ${process.versions.node} does not run ${path}: compile it to JavaScript, or use Node 22.18 or newer for TypeScript.`;
  const place = placeOf(error) ?? (error instanceof SyntaxError ? placeInSyntax(file) : undefined);
  return `${path} fails when it is loaded, mend it: ${line}${place === undefined ? "" : ` (${place})`}`;
}

/** @param {unknown} error @returns {string | undefined} the file and line that it comes from */
function placeOf(error) {
  const stack = String(/** @type {Error | undefined} */ (error)?.stack);
  const [, url, at] = /(file:\/\/[^\s)]+?)((?::\d+)+)/.exec(stack) ?? [];
  return url && `${relative(process.cwd(), fileURLToPath(url))}${at}`;
}

/** Where a file is no JavaScript: an import says what, but not where. @param {string} file */
function placeInSyntax(file) {
  const { stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
  const at = /^(?:file:\/\/)?\/.*:(\d+)$/m.exec(stderr)?.[1];
  return at && `${relative(process.cwd(), file)}:${at}`;
}

/** @param {unknown} value @returns {boolean} is it a graph, compiled or still to be? */
function isGraphLike(value) {
  return isGraph(value) || isBuilder(value);
}

/** @param {unknown} value @returns {value is ServedGraph} */
function isGraph(value) {
  const graph = /** @type {{ stream?: unknown, getState?: unknown } | undefined} */ (value);
  return typeof graph?.stream === "function" && typeof graph.getState === "function";
}

/** @param {unknown} value @returns {value is { compile: () => ServedGraph }} */
function isBuilder(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    "compile" in value &&
    typeof value.compile === "function"
  );
}

/**
 * @param {unknown} value a graph, a builder or a function that makes one of them
 * @param {string} path of its module
 */
function asGraph(value, path) {
  if (isGraph(value)) return value;
  if (isBuilder(value)) {
    try {
      return value.compile();
    } catch (error) {
      throw new UsageError(
        `${path} has a graph that cannot be compiled, mend it: ${lineOf(error)}`,
      );
    }
  }
  const make = /** @type {(config: object) => unknown} */ (value);
  return async (/** @type {object} */ config) => {
    const made = await make(config);
    return isBuilder(made) && !isGraph(made) ? made.compile() : made;
  };
}
