// SPDX-License-Identifier: MIT
// Keeps a store in this process's memory: new InMemoryStore({ index: { dims, embeddings, fields }
// }). Reads of a batch do not find what it adds. Owns items and their vectors.
import { badArgument, checkObject } from "../log/log-store.js";
import { BaseStore, validateNamespace } from "./base-store.js";
import { matches, nearness, passes, textsAt } from "./match.js";

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ value: unknown, key: string, namespace: string[], createdAt: Date, updatedAt: Date }}
 *   Item
 */
/**
 * A change of one item. `value` null deletes it; `at`: time of the change; `since`: when the item
 * was created, if earlier.
 * @typedef {{ namespace: string[], key: string, value: unknown, at: Date, since?: Date, vectors:
 *   [path: string, vector: number[]][] }} Change
 */
/** @typedef {{ dims: number, embeddings: Value, fields?: string[] }} IndexConfig */

/**
 * Joins labels into a text, reversibly for any labels.
 * @param {string[]} namespace
 */
const nameOf = (namespace) => JSON.stringify(namespace);
/** @param {string} name @returns {string[]} */
const labelsOf = (name) => JSON.parse(name);

export class InMemoryStore extends BaseStore {
  /** Items by namespace (nameOf) and key. @type {Map<string, Map<string, Item>>} */
  data = new Map();
  /** Vectors by namespace, key and path. @type {Map<string, Map<string, Map<string, number[]>>>} */
  vectors = new Map();
  /** @type {IndexConfig | undefined} */
  _indexConfig;

  /** @param {{ index?: IndexConfig }} [options] */
  constructor(options) {
    super();
    if (options === undefined || options === null) return;
    checkObject(options, "what a store is given");
    if (!options.index) return;
    checkObject(options.index, "`index`");
    this._indexConfig = { ...options.index };
  }

  get indexConfig() {
    return this._indexConfig;
  }

  /** @param {readonly Value[]} operations @returns {Promise<unknown[]>} */
  async batch(operations) {
    checkOperations(operations);
    /** @type {Map<string, Value>} */
    const puts = new Map();
    // Without vectors nothing is awaited: what is put can be read at once, as in LangGraph.js.
    const { embeddings } = this._indexConfig ?? {};
    const queries = embeddings ? await this.#embedQueries(operations, embeddings) : new Map();
    /** @type {unknown[]} */
    const answers = [];
    for (const op of operations) {
      if ("key" in op && "namespace" in op && !("value" in op))
        answers.push(this.data.get(nameOf(op.namespace))?.get(op.key) ?? null);
      else if ("namespacePrefix" in op) answers.push(this.#search(op, queries));
      else if ("value" in op) {
        puts.set(JSON.stringify([op.namespace, op.key]), op);
        answers.push(null);
      } else if ("matchConditions" in op) answers.push(this.#namespaces(op));
    }
    const changes = [...puts.values()];
    const vectors = embeddings ? await this.embed(changes) : [];
    const at = new Date();
    const made = changes.map(({ namespace, key, value }, i) => ({
      namespace,
      key,
      value,
      at,
      vectors: vectors[i] ?? [],
    }));
    const kept = made.length > 0 ? this.keep(made) : undefined;
    if (kept !== undefined) await kept;
    this.takeChanges(made);
    return answers;
  }

  /**
   * @param {readonly Value[]} operations
   * @param {NonNullable<IndexConfig["embeddings"]>} embeddings
   * @returns {Promise<Map<string, number[]>>}
   */
  async #embedQueries(operations, embeddings) {
    /** @type {Map<string, number[]>} */
    const vectors = new Map();
    const texts = new Set(
      operations
        .filter((operation) => "namespacePrefix" in operation && operation.query)
        .map(({ query }) => query),
    );
    await Promise.all(
      [...texts].map(async (text) => vectors.set(text, await embeddings.embedQuery(text))),
    );
    return vectors;
  }

  /**
   * Stores changes durably before they become readable; overridden by durable stores.
   * @param {Change[]} _changes at least one
   * @returns {Promise<void> | undefined}
   */
  keep(_changes) {
    return undefined;
  }

  /** @param {Change[]} changes @param {boolean} [isAll] whether the changes replace all items */
  takeChanges(changes, isAll = false) {
    if (isAll) {
      this.data.clear();
      this.vectors.clear();
    }
    for (const change of changes) this.#put(change);
  }

  /** Returns all items as changes. @returns {Change[]} */
  wholeAsChanges() {
    return [...this.data].flatMap(([name, items]) =>
      [...items.values()].map(({ namespace, key, value, createdAt, updatedAt }) => ({
        namespace,
        key,
        value,
        at: updatedAt,
        since: createdAt,
        vectors: [...(this.vectors.get(name)?.get(key) ?? [])],
      })),
    );
  }

  /**
   * Computes the vectors of new values, by path.
   * @param {Value[]} puts
   * @returns {Promise<[path: string, vector: number[]][][]>}
   */
  async embed(puts) {
    const { embeddings, fields = ["$"] } = /** @type {Record<PropertyKey, Value>} */ (
      this._indexConfig ?? {}
    );
    if (!embeddings) return puts.map(() => []);
    const texts = puts.map(({ value, index }) => {
      if (value === null || index === false) return [];
      return (index ?? fields).flatMap((/** @type {string} */ path) => {
        const found = textsAt(value, path);
        return found.map((text, i) => [found.length > 1 ? `${path}.${i}` : path, text]);
      });
    });
    // Embeds each text once, in the order of an object's keys, as LangGraph does.
    const numbers = Object.fromEntries(texts.flat().map(([, text]) => [text, 0]));
    const all = Object.keys(numbers);
    all.forEach((text, i) => (numbers[text] = i));
    const vectors = all.length === 0 ? [] : await embeddings.embedDocuments(all);
    const missed = all.find((_, i) => !vectors[i]);
    if (missed !== undefined) throw new Error(`No embedding found for text: ${missed}`);
    return texts.map((list) =>
      list.map((/** @type {string[]} */ [path, text]) => [path, vectors[numbers[text]]]),
    );
  }

  /** @param {Change} change */
  #put({ namespace, key, value, vectors, at, since = at }) {
    const name = nameOf(namespace);
    if (value === null) {
      entryOf(this.data, name).delete(key);
      this.vectors.get(name)?.delete(key);
      return;
    }
    for (const [path, vector] of vectors)
      entryOf(entryOf(this.vectors, name), key).set(path, vector);
    const items = entryOf(this.data, name);
    const item = items.get(key);
    if (item === undefined)
      items.set(key, { value, key, namespace: [...namespace], createdAt: since, updatedAt: at });
    else Object.assign(item, { value, updatedAt: at });
  }

  /** @param {Value} op @param {Map<string, number[]>} queries */
  #search(op, queries) {
    const { filter, query } = op;
    const [limit, offset] = [op.limit ?? 10, op.offset ?? 0];
    // The prefix's labels, followed by another label or the end.
    const start = nameOf(op.namespacePrefix).slice(0, -1);
    const isBelow = (/** @type {string} */ name) =>
      name.startsWith(start) &&
      (start === "[" || name[start.length] === "," || name[start.length] === "]");
    const found = [...this.data]
      .filter(([name]) => isBelow(name))
      .flatMap(([, items]) => [...items.values()]);
    const wanted =
      (filter ?? undefined) === undefined
        ? found
        : found.filter(({ value }) => passes(value, filter));
    const vector = query === undefined ? undefined : queries.get(query);
    if (vector === undefined)
      return wanted.map((item) => ({ ...item, score: undefined })).slice(offset, offset + limit);
    const ranked = this.#rank(wanted, vector);
    const scored = ranked.filter(({ score }) => score !== undefined).slice(offset, offset + limit);
    return [
      ...scored,
      ...ranked.filter(({ score }) => score === undefined).slice(0, limit - scored.length),
    ];
  }

  /**
   * Sorts items by similarity, the most similar first.
   * @param {Item[]} items
   * @param {number[]} vector
   */
  #rank(items, vector) {
    const scored = items.map((item) => {
      const vectors = [
        ...(this.vectors.get(nameOf(item.namespace))?.get(item.key)?.values() ?? []),
      ];
      return {
        ...item,
        score:
          vectors.length === 0
            ? undefined
            : Math.max(...vectors.map((held) => nearness(vector, held))),
      };
    });
    return scored.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || 0);
  }

  /** @param {Value} op */
  #namespaces(op) {
    const { maxDepth, limit } = op;
    const offset = op.offset ?? 0;
    // As in LangGraph.js an empty namespace is listed as [""], and namespaces are sorted by their
    // labels joined with colons.
    const shown = (/** @type {string[]} */ labels) => (labels.length === 0 ? [""] : labels);
    const all = [...this.data.keys()].map((name) => shown(labelsOf(name)));
    const wanted = !op.matchConditions?.length
      ? all
      : all.filter((namespace) =>
          op.matchConditions.every((/** @type {Value} */ condition) =>
            matches(namespace, condition),
          ),
        );
    const cut = wanted.map((namespace) =>
      maxDepth === undefined ? namespace : namespace.slice(0, maxDepth),
    );
    const names = [...new Set(cut.map((namespace) => nameOf(shown(namespace))))].map(labelsOf);
    const sorted = names
      .map((labels) => ({ labels, text: labels.join(":") }))
      .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    return sorted.slice(offset, offset + (limit ?? sorted.length)).map(({ labels }) => labels);
  }
}

/** LangGraph's earlier name of the class. */
export class MemoryStore extends InMemoryStore {}

/**
 * @template T
 * @param {Map<string, Map<string, T>>} maps
 * @param {string} key
 * @returns {Map<string, T>}
 */
function entryOf(maps, key) {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map()));
  return map;
}

/** @param {unknown} labels @param {string} name */
function checkLabels(labels, name) {
  if (!Array.isArray(labels) || labels.some((label) => typeof label !== "string"))
    throw badArgument(`\`${name}\` is a list of strings`);
}

/** Checks operations; ignores unknown ones, as LangGraph.js does. @param {unknown} operations */
function checkOperations(operations) {
  if (!Array.isArray(operations)) throw badArgument("the operations of batch() are a list");
  for (const op of operations) {
    if (op === null || typeof op !== "object")
      throw badArgument("an operation of batch() is an object");
    const { namespace, key, value, index, namespacePrefix, query } = op;
    if ("namespacePrefix" in op && !("key" in op && "namespace" in op && !("value" in op))) {
      checkLabels(namespacePrefix, "namespacePrefix");
      validateNamespace(namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
      if (query && typeof query !== "string") throw badArgument("`query` is a string");
    } else if (("key" in op && "namespace" in op) || "value" in op) {
      checkLabels(namespace, "namespace");
      validateNamespace(namespace, { allowReservedRoot: true });
      if (typeof key !== "string" && !Number.isFinite(key)) throw badArgument("`key` is a string");
      if ("value" in op && value === undefined)
        throw badArgument("`value` is an object, or null to delete the item");
      const isIndex =
        (index ?? false) === false ||
        (Array.isArray(index) && index.every((path) => typeof path === "string"));
      if (!isIndex) throw badArgument("`index` is false or a list of paths");
    }
  }
}
