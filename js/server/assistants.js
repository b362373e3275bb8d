// SPDX-License-Identifier: MIT
// Answers what clients ask about assistants: a graph with a config. Each graph is an assistant of
// its own; others are records, with all of their versions.
import { countIn, isTrue, objectIn, oneOf, textIn, textsIn } from "./http/fields.js";
import { assistantIdOf, newId } from "./http/ids.js";
import { searchRecords } from "./http/records.js";
import { isOf } from "./runs.js";
import { schemasOf } from "./schemas.js";
import { selected } from "./http/wire.js";
import { invalid, json, notFound, Refusal } from "./http/replies.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./router.js").Routes} Routes */
/** @typedef {import("./server.js").ServerState} ServerState */
/**
 * @typedef {Json & { assistant_id: string, graph_id: string, name: string, description: string |
 *   null, config: Json, context: Json, metadata: Json, version: number, created_at: string,
 *   updated_at: string, owner?: string, versions?: Json[] }} AssistantRecord
 */

const SORTABLE = ["assistant_id", "name", "graph_id", "created_at", "updated_at"];

/**
 * @param {string} graphId
 * @param {string} now
 * @returns {AssistantRecord} the assistant that a graph is
 */
export function systemAssistant(graphId, now) {
  return {
    assistant_id: assistantIdOf(graphId),
    graph_id: graphId,
    name: graphId,
    description: null,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

/** @param {ServerState} state @param {string | undefined} user @returns {AssistantRecord[]} */
function ownOf(state, user) {
  return [...state.system.values(), ...state.assistants.all()].filter(
    (one) => state.system.has(one.graph_id) && (isSystem(one) || isOf(one, user)),
  );
}

/** @param {AssistantRecord} assistant */
function isSystem({ assistant_id, graph_id }) {
  return assistant_id === assistantIdOf(graph_id);
}

/** @param {ServerState} state @param {string} id */
function systemOf({ system }, id) {
  return [...system.values()].find(({ assistant_id }) => assistant_id === id);
}

/**
 * @param {ServerState} state
 * @param {string} id an assistant's, or a graph's name
 * @param {string | undefined} user
 * @returns {AssistantRecord}
 * @throws {Refusal} 404
 */
export function findAssistant(state, id, user) {
  const own = state.assistants.get(id);
  const found =
    own !== undefined && isOf(own, user) ? own : (state.system.get(id) ?? systemOf(state, id));
  if (found === undefined)
    throw new Refusal(
      404,
      `No assistant found for ${JSON.stringify(id)}. Make sure the assistant ID is for a valid assistant or a valid graph ID.`,
    );
  return found;
}

/** @param {AssistantRecord} assistant @returns {Json} as a client sees it */
function shown({ owner: _owner, versions: _versions, ...assistant }) {
  return assistant;
}

/** @param {AssistantRecord} before @param {Json} from @returns {AssistantRecord} */
function changed(before, from) {
  return {
    ...before,
    name: textIn(from, "name") ?? before.name,
    description: textIn(from, "description") ?? before.description,
    config: objectIn(from, "config") ?? before.config,
    context: objectIn(from, "context") ?? before.context,
    metadata: { ...before.metadata, ...objectIn(from, "metadata") },
  };
}

/** @param {ServerState} state @param {Json} from @param {string} usual */
function graphIn({ system }, from, usual) {
  const graphId = textIn(from, "graph_id") ?? usual;
  if (system.has(graphId)) return graphId;
  throw invalid(`graph_id must be one of ${[...system.keys()].join(", ")}.`);
}

/** @param {ServerState} state @param {Call} call */
async function create(state, { fields, user }) {
  const from = await fields();
  const graphId = graphIn(state, from, "");
  const id = textIn(from, "assistant_id") ?? newId();
  const ifExists = oneOf(from, "if_exists", ["raise", "do_nothing"]) ?? "raise";
  const before = state.assistants.get(id);
  if (before !== undefined || systemOf(state, id) !== undefined) {
    if (ifExists === "raise" || before === undefined || !isOf(before, user))
      throw new Refusal(409, `There is an assistant ${JSON.stringify(id)} already.`);
    return json(shown(before));
  }
  const now = new Date().toISOString();
  /** @type {AssistantRecord} */
  const assistant = {
    ...changed({ ...systemAssistant(graphId, now), name: "Untitled", metadata: {} }, from),
    assistant_id: id,
    owner: user,
  };
  assistant.versions = [shown(assistant)];
  await state.assistants.put(id, assistant);
  return json(shown(assistant));
}

/**
 * @param {ServerState} state
 * @param {Call} call
 * @returns {AssistantRecord} one that may be changed
 */
function findOwn(state, { params, user }) {
  const found = findAssistant(state, params.assistant, user);
  if (isSystem(found)) throw new Refusal(403, "A graph's own assistant cannot be changed.");
  return found;
}

/** @param {ServerState} state @param {Call} call */
async function change(state, call) {
  const before = findOwn(state, call);
  const from = await call.fields();
  const graphId = graphIn(state, from, before.graph_id);
  const next = {
    ...changed(before, from),
    graph_id: graphId,
    version:
      Math.max(...(before.versions ?? []).map(({ version }) => Number(version)), before.version) +
      1,
    updated_at: new Date().toISOString(),
  };
  next.versions = [...(before.versions ?? []), shown(next)];
  await state.assistants.put(next.assistant_id, next);
  return json(shown(next));
}

/** @param {AssistantRecord[]} rows @param {Json} from */
function find(rows, from) {
  return searchRecords(rows, from, {
    equal: ["graph_id"],
    containing: ["metadata"],
    sortable: SORTABLE,
  });
}

/** @param {ServerState} state @param {Call} call */
async function search(state, { fields, user }) {
  const from = await fields();
  const name = textIn(from, "name")?.toLowerCase();
  const own = ownOf(state, user).filter(
    (one) => name === undefined || one.name.toLowerCase().includes(name),
  );
  const { found, headers } = find(own, from);
  const select = textsIn(from, "select");
  return json(
    found.map((one) => selected(shown(one), select)),
    200,
    headers,
  );
}

/** @param {ServerState} state @param {Call} call */
async function count(state, { fields, user }) {
  return json(find(ownOf(state, user), await fields()).total);
}

/** @param {ServerState} state @param {Call} call */
async function remove(state, call) {
  const found = findOwn(state, call);
  await state.assistants.delete(found.assistant_id);
  if (isTrue(call.query.delete_threads))
    for (const thread of [...state.threads.all()])
      if (isOf(thread, call.user) && thread.metadata.assistant_id === found.assistant_id)
        await state.threadWork.delete(thread);
  return json([found.assistant_id]);
}

/** @param {ServerState} state @param {Call} call */
async function versions(state, { params, fields, user }) {
  const found = findAssistant(state, params.assistant, user);
  const from = await fields();
  const list = [...(found.versions ?? [shown(found)])].reverse();
  const offset = countIn(from, "offset", 0, list.length);
  return json(list.slice(offset, offset + countIn(from, "limit", 10, 1000)));
}

/** @param {ServerState} state @param {Call} call */
async function setLatest(state, call) {
  const found = findOwn(state, call);
  const version = countIn(await call.fields(), "version", 0, Number.MAX_SAFE_INTEGER);
  const wanted = found.versions?.find((one) => one.version === version);
  if (wanted === undefined) throw notFound(`version ${version}`);
  const next = /** @type {AssistantRecord} */ ({ ...found, ...wanted, versions: found.versions });
  await state.assistants.put(next.assistant_id, next);
  return json(shown(next));
}

/** @param {ServerState} state @param {Call} call */
async function open(state, { params, user }) {
  const { graph_id, config } = findAssistant(state, params.assistant, user);
  return { graphId: graph_id, graph: await state.graphs.open(graph_id, config) };
}

/** @param {ServerState} state @param {Call} call */
async function drawn(state, call) {
  const { graph } = await open(state, call);
  const given = call.query.xray;
  const xray = given === "true" || (/^\d+$/.test(String(given)) && Number(given));
  return json((await graph.getGraphAsync({ xray })).toJSON());
}

/** @param {ServerState} state @param {Call} call */
async function schemas(state, call) {
  const { graph, graphId } = await open(state, call);
  return json({ graph_id: graphId, ...schemasOf(graph) });
}

/** @param {ServerState} state @param {Call} call */
async function subgraphs(state, call) {
  const { graph } = await open(state, call);
  const recurse = isTrue(call.query.recurse);
  /** @type {Json} */
  const found = {};
  for await (const [name, inner] of graph.getSubgraphsAsync(call.params.namespace, recurse)) {
    const { input_schema, output_schema, state_schema, config_schema } = schemasOf(inner);
    found[name] = {
      input: input_schema,
      output: output_schema,
      state: state_schema,
      config: config_schema,
    };
  }
  return json(found);
}

/** @type {Routes} */
export const assistantRoutes = [
  ["POST", "/assistants", create],
  ["POST", "/assistants/search", search],
  ["POST", "/assistants/count", count],
  [
    "GET",
    "/assistants/:assistant",
    async (state, { params, user }) => json(shown(findAssistant(state, params.assistant, user))),
  ],
  ["PATCH", "/assistants/:assistant", change],
  ["DELETE", "/assistants/:assistant", remove],
  ["GET", "/assistants/:assistant/graph", drawn],
  ["GET", "/assistants/:assistant/schemas", schemas],
  ["GET", "/assistants/:assistant/subgraphs", subgraphs],
  ["GET", "/assistants/:assistant/subgraphs/:namespace", subgraphs],
  ["POST", "/assistants/:assistant/versions", versions],
  ["POST", "/assistants/:assistant/latest", setLatest],
];
