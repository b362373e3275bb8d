// SPDX-License-Identifier: MIT
// Answers what clients ask of the store that graphs share.
import { countIn, objectIn, objectOf, textIn, textsIn } from "./http/fields.js";
import { invalid, json, noContent, Refusal } from "./http/replies.js";

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

/** Of a user, with whose name each namespace begins. */
const USERS = "users";

/** @param {ServerState} state @returns {ItemStore} */
function storeOf({ store }) {
  if (store === undefined)
    throw new Refusal(404, "The server has no store: createServer({ store }) gives it one.");
  return store;
}

/**
 * @param {unknown} list
 * @param {string | undefined} user
 * @param {string} key
 * @returns {string[]}
 */
function namespaceOf(list, user, key) {
  const labels = list ?? [];
  if (!Array.isArray(labels) || labels.some((label) => typeof label !== "string"))
    throw invalid(`${key} must be a list of texts.`);
  if (labels.some((label) => label === "" || label.includes(".")))
    throw invalid(`The labels of ${key} must not be empty, nor have a "." in them.`);
  return user === undefined ? labels : [USERS, user, ...labels];
}

/** @param {Item} item @param {string | undefined} user */
function shown({ namespace, key, value, createdAt, updatedAt, score }, user) {
  return {
    namespace: user === undefined ? namespace : namespace.slice(2),
    key,
    value,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    ...(score === undefined ? {} : { score }),
  };
}

/** @param {Json} from @param {string | undefined} user */
function placeIn(from, user) {
  const namespace = namespaceOf(from.namespace, user, "namespace");
  const key = textIn(from, "key");
  if (namespace.length === (user === undefined ? 0 : 2))
    throw new Refusal(400, "namespace is needed.");
  if (key === undefined || key === "") throw invalid("key is needed.");
  return { namespace, key };
}

/** @param {ServerState} state @param {Call} call */
async function put(state, { body, user }) {
  const from = objectOf(await body());
  const { namespace, key } = placeIn(from, user);
  const value = objectIn(from, "value");
  if (value === undefined) throw invalid("value must be an object.");
  const index = from.index === false ? false : textsIn(from, "index");
  await storeOf(state).put(namespace, key, value, index);
  return noContent();
}

/** @param {ServerState} state @param {Call} call */
async function get(state, { query, user }) {
  const labels = textIn(query, "namespace");
  const place = placeIn({ ...query, namespace: labels?.split(".") ?? [] }, user);
  const item = await storeOf(state).get(place.namespace, place.key);
  return json(item === null || item === undefined ? null : shown(item, user));
}

/** @param {ServerState} state @param {Call} call */
async function remove(state, { body, user }) {
  const { namespace, key } = placeIn(objectOf(await body()), user);
  await storeOf(state).delete(namespace, key);
  return noContent();
}

/** @param {ServerState} state @param {Call} call */
async function search(state, { body, user }) {
  const from = objectOf(await body());
  const prefix = namespaceOf(from.namespace_prefix, user, "namespace_prefix");
  const items = await storeOf(state).search(prefix, {
    filter: objectIn(from, "filter"),
    query: textIn(from, "query"),
    limit: countIn(from, "limit", 10, 1000),
    offset: countIn(from, "offset", 0, Number.MAX_SAFE_INTEGER),
  });
  return json({ items: items.map((item) => shown(item, user)) });
}

/** @param {ServerState} state @param {Call} call */
async function namespaces(state, { body, user }) {
  const from = objectOf(await body());
  const depth =
    from.max_depth === undefined || from.max_depth === null
      ? undefined
      : countIn(from, "max_depth", 0, 1000);
  const found = await storeOf(state).listNamespaces({
    prefix: namespaceOf(from.prefix, user, "prefix"),
    suffix: from.suffix === undefined ? undefined : namespaceOf(from.suffix, undefined, "suffix"),
    maxDepth: depth === undefined || user === undefined ? depth : depth + 2,
    limit: countIn(from, "limit", 100, 1000),
    offset: countIn(from, "offset", 0, Number.MAX_SAFE_INTEGER),
  });
  return json({ namespaces: user === undefined ? found : found.map((one) => one.slice(2)) });
}

/** @type {Routes} */
export const storeRoutes = [
  ["PUT", "/store/items", put],
  ["GET", "/store/items", get],
  ["DELETE", "/store/items", remove],
  ["POST", "/store/items/search", search],
  ["POST", "/store/namespaces", namespaces],
];
