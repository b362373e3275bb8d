// SPDX-License-Identifier: MIT
// Answers what clients ask of the store that graphs share.
import { countIn, objectIn, refuseTtl, textIn, textsIn } from "./http/fields.js";
import { invalid, json, noContent, Refusal } from "./http/replies.js";
import { storeFor } from "./user-store.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./router.js").Routes} Routes */
/** @typedef {import("./server.js").ServerState} ServerState */
/**
 * @typedef {{ namespace: string[], key: string, value: Json, createdAt: Date, updatedAt: Date,
 *   score?: number }} Item
 */
/**
 * What is called of a store.
 * @typedef {{ get: (namespace: string[], key: string) => Promise<Item | null>, put: (namespace:
 *   string[], key: string, value: Json, index?: false | string[]) => Promise<unknown>, delete:
 *   (namespace: string[], key: string) => Promise<unknown>, search: (prefix: string[], options:
 *   Json) => Promise<Item[]>, listNamespaces: (options: Json) => Promise<string[][]> }} ItemStore
 */

/** First labels of namespaces that clients neither read nor write. */
const OWN = ["langgraph", "weft"];

/** @param {ServerState} state @param {Call} call @returns {ItemStore} what the user may reach */
function storeOf({ store }, { user }) {
  if (store === undefined)
    throw new Refusal(404, "The server has no store: see createServer({ store }).");
  return /** @type {ItemStore} */ (storeFor(store, user));
}

/** @param {unknown} list @param {string} key @returns {string[]} */
function namespaceOf(list, key) {
  const labels = list ?? [];
  if (!Array.isArray(labels) || labels.some((label) => typeof label !== "string"))
    throw invalid(`${key} must be a list of texts.`);
  if (labels.some((label) => label === "" || label.includes(".")))
    throw invalid(`The labels of ${key} must not be empty or have a ".".`);
  return labels;
}

/** @param {Item} item */
function shown({ namespace, key, value, createdAt, updatedAt, score }) {
  return {
    namespace,
    key,
    value,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    score,
  };
}

/** @param {Json} from */
function placeIn(from) {
  const namespace = namespaceOf(from.namespace, "namespace");
  const key = textIn(from, "key");
  if (namespace.length === 0) throw new Refusal(400, "namespace is needed.");
  // The server's own records may stand in the same store.
  if (OWN.includes(namespace[0])) throw invalid(`A namespace must not begin with ${namespace[0]}.`);
  if (key === undefined || key === "") throw invalid("key is needed.");
  return { namespace, key };
}

/** @param {ServerState} state @param {Call} call */
async function put(state, call) {
  const from = await call.fields();
  refuseTtl(from);
  const { namespace, key } = placeIn(from);
  const value = objectIn(from, "value");
  if (value === undefined) throw invalid("value must be an object.");
  const index = from.index === false ? false : textsIn(from, "index");
  await storeOf(state, call).put(namespace, key, value, index);
  return noContent();
}

/** @param {ServerState} state @param {Call} call */
async function get(state, call) {
  const labels = textIn(call.query, "namespace");
  const { namespace, key } = placeIn({ ...call.query, namespace: labels?.split(".") ?? [] });
  const item = await storeOf(state, call).get(namespace, key);
  return json(item === null || item === undefined ? null : shown(item));
}

/** @param {ServerState} state @param {Call} call */
async function remove(state, call) {
  const { namespace, key } = placeIn(await call.fields());
  await storeOf(state, call).delete(namespace, key);
  return noContent();
}

/**
 * Finds a page of what clients may see. Stores cannot leave the server's own records out: they are
 * asked for more until enough is found, or that was all.
 * @template Found
 * @param {Json} from
 * @param {number} usual limit
 * @param {(limit: number) => Promise<Found[]>} find
 * @param {(found: Found) => string[]} namespace
 * @returns {Promise<Found[]>}
 */
async function pageOf(from, usual, find, namespace) {
  const offset = countIn(from, "offset", 0, Number.MAX_SAFE_INTEGER);
  const end = offset + countIn(from, "limit", usual, 1000);
  for (let most = end; ; most *= 4) {
    const all = await find(most);
    const found = all.filter((one) => !OWN.includes(namespace(one)[0]));
    if (found.length >= end || all.length < most) return found.slice(offset, end);
  }
}

/** @param {ServerState} state @param {Call} call */
async function search(state, call) {
  const from = await call.fields();
  const store = storeOf(state, call);
  const prefix = namespaceOf(from.namespace_prefix, "namespace_prefix");
  const asked = { filter: objectIn(from, "filter"), query: textIn(from, "query"), offset: 0 };
  const items = await pageOf(
    from,
    10,
    (limit) => store.search(prefix, { ...asked, limit }),
    ({ namespace }) => namespace,
  );
  return json({ items: items.map(shown) });
}

/** @param {ServerState} state @param {Call} call */
async function namespaces(state, call) {
  const from = await call.fields();
  const store = storeOf(state, call);
  const asked = {
    prefix: namespaceOf(from.prefix, "prefix"),
    suffix: from.suffix === undefined ? undefined : namespaceOf(from.suffix, "suffix"),
    maxDepth: countIn(from, "max_depth", undefined, 1000),
    offset: 0,
  };
  const found = await pageOf(
    from,
    100,
    (limit) => store.listNamespaces({ ...asked, limit }),
    (labels) => labels,
  );
  return json({ namespaces: found });
}

/** @type {Routes} */
export const storeRoutes = [
  ["PUT", "/store/items", put],
  ["GET", "/store/items", get],
  ["DELETE", "/store/items", remove],
  ["POST", "/store/items/search", search],
  ["POST", "/store/namespaces", namespaces],
];
