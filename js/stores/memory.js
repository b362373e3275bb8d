// SPDX-License-Identifier: MIT
// A store in this process's memory: new InMemoryStore({ index: { dims, embeddings, fields } }). Reads of a batch see what was
// there before its writes. Owns items and their vectors.
import { BaseStore } from "./base-store.js";
import { matches, nearness, passes, textsAt } from "./match.js";

/** @typedef {{ value: any, key: string, namespace: string[], createdAt: Date, updatedAt: Date }} Item */
/** @typedef {{ dims: number, embeddings: any, fields?: string[] }} IndexConfig */

const MARK = ":";

export class InMemoryStore extends BaseStore {
  /** Items by namespace and key. @type {Map<string, Map<string, Item>>} */
  data = new Map();
  /** Vectors by namespace, key and path. @type {Map<string, Map<string, Map<string, number[]>>>} */
  vectors = new Map();
  /** @type {IndexConfig | undefined} */
  _indexConfig;

  /** @param {{ index?: IndexConfig }} [options] */
  constructor(options) {
    super();
    if (options?.index) this._indexConfig = { ...options.index };
  }

  get indexConfig() {
    return this._indexConfig;
  }

  /** @param {any[]} operations @returns {Promise<any[]>} */
  async batch(operations) {
    /** @type {Map<string, any>} */
    const puts = new Map();
    const queries = await this.#embedQueries(operations);
    /** @type {any[]} */
    const answers = [];
    for (const op of operations) {
      if ("key" in op && "namespace" in op && !("value" in op)) answers.push(this.data.get(op.namespace.join(MARK))?.get(op.key) ?? null);
      else if ("namespacePrefix" in op) answers.push(this.#search(op, queries));
      else if ("value" in op) {
        puts.set(JSON.stringify([op.namespace, op.key]), op);
        answers.push(null);
      } else if ("matchConditions" in op) answers.push(this.#namespaces(op));
    }
    const changes = [...puts.values()];
    const vectors = await this.embed(changes.filter(({ vectors: known }) => known === undefined));
    const at = new Date();
    const made = changes.map((operation) => ({ at, ...operation, vectors: operation.vectors ?? vectors.shift() }));
    await this.keep(made);
    for (const operation of made) this.#put(operation);
    return answers;
  }

  /** @param {any[]} operations @returns {Promise<Map<string, number[]>>} */
  async #embedQueries(operations) {
    /** @type {Map<string, number[]>} */
    const vectors = new Map();
    const { embeddings } = this._indexConfig ?? {};
    if (!embeddings) return vectors;
    const texts = new Set(operations.filter((operation) => "namespacePrefix" in operation && operation.query).map(({ query }) => query));
    await Promise.all([...texts].map(async (text) => vectors.set(text, await embeddings.embedQuery(text))));
    return vectors;
  }

  /** For stores that last: called before anybody can read it. @param {any[]} _changes */
  async keep(_changes) {}

  /**
   * The vectors of what is to be put, by path.
   * @param {any[]} puts
   * @returns {Promise<[path: string, vector: number[]][][]>}
   */
  async embed(puts) {
    const { embeddings, fields = ["$"] } = /** @type {any} */ (this._indexConfig ?? {});
    if (!embeddings) return puts.map(() => []);
    const texts = puts.map(({ value, index }) => {
      if (value === null || index === false) return [];
      return (index ?? fields).flatMap((/** @type {string} */ path) => {
        const found = textsAt(value, path);
        return found.map((text, i) => [found.length > 1 ? `${path}.${i}` : path, text]);
      });
    });
    // Each text once, in an object's order, as LangGraph does.
    const numbers = Object.fromEntries(texts.flat().map(([, text]) => [text, 0]));
    const all = Object.keys(numbers);
    all.forEach((text, i) => (numbers[text] = i));
    const vectors = all.length === 0 ? [] : await embeddings.embedDocuments(all);
    const missed = all.find((_, i) => !vectors[i]);
    if (missed !== undefined) throw new Error(`No embedding found for text: ${missed}`);
    return texts.map((list) => list.map((/** @type {string[]} */ [path, text]) => [path, vectors[numbers[text]]]));
  }

  /** @param {any} operation with its vectors, and `at`: when it was */
  #put({ namespace, key, value, vectors, at: now }) {
    const name = namespace.join(MARK);
    if (value === null) {
      entryOf(this.data, name).delete(key);
      this.vectors.get(name)?.delete(key);
      return;
    }
    for (const [path, vector] of vectors) entryOf(entryOf(this.vectors, name), key).set(path, vector);
    const items = entryOf(this.data, name);
    const item = items.get(key);
    if (item === undefined) items.set(key, { value, key, namespace, createdAt: now, updatedAt: now });
    else Object.assign(item, { value, updatedAt: now });
  }

  /** @param {any} op @param {Map<string, number[]>} queries */
  #search(op, queries) {
    const { filter, query } = op;
    const [limit, offset] = [op.limit ?? 10, op.offset ?? 0];
    const found = [...this.data].filter(([name]) => name.startsWith(op.namespacePrefix.join(MARK))).flatMap(([, items]) => [...items.values()]);
    const wanted = (filter ?? undefined) === undefined ? found : found.filter(({ value }) => passes(value, filter));
    const vector = query === undefined ? undefined : queries.get(query);
    if (vector === undefined) return wanted.map((item) => ({ ...item, score: undefined })).slice(offset, offset + limit);
    const ranked = this.#rank(wanted, vector);
    const scored = ranked.filter(({ score }) => score !== undefined).slice(offset, offset + limit);
    return [...scored, ...ranked.filter(({ score }) => score === undefined).slice(0, limit - scored.length)];
  }

  /** The nearest first. @param {Item[]} items @param {number[]} vector */
  #rank(items, vector) {
    const scored = items.map((item) => {
      const vectors = [...(this.vectors.get(item.namespace.join(MARK))?.get(item.key)?.values() ?? [])];
      return { ...item, score: vectors.length === 0 ? undefined : Math.max(...vectors.map((held) => nearness(vector, held))) };
    });
    return scored.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || 0);
  }

  /** @param {any} op */
  #namespaces(op) {
    const { maxDepth, limit } = op;
    const offset = op.offset ?? 0;
    const all = [...this.data.keys()].map((name) => name.split(MARK));
    const wanted = !op.matchConditions?.length ? all : all.filter((namespace) => op.matchConditions.every((/** @type {any} */ condition) => matches(namespace, condition)));
    const names = wanted.map((namespace) => (maxDepth === undefined ? namespace : namespace.slice(0, maxDepth)).join(MARK));
    return [...new Set(names)].sort().slice(offset, offset + (limit ?? names.length)).map((name) => name.split(MARK));
  }
}

/** LangGraph's earlier name for it. */
export class MemoryStore extends InMemoryStore {}

/** @template T @param {Map<string, Map<string, T>>} maps @param {string} key @returns {Map<string, T>} */
function entryOf(maps, key) {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map()));
  return map;
}
