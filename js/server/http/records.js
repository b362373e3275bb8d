// SPDX-License-Identifier: MIT
// Keeps a server's records (threads, runs, assistants) in a store, and answers searches from
// memory. One server writes a registry; another one reads what it wrote when it starts.
import { contains, countIn, objectIn, oneOf, textIn, textsIn } from "./fields.js";

/** @typedef {import("./fields.js").Json} Json */
/**
 * What a registry is kept in: any of LangGraph's stores.
 * @typedef {{ put: (namespace: string[], key: string, value: Json, index?: false) =>
 *   Promise<unknown>, delete: (namespace: string[], key: string) => Promise<unknown>, search:
 *   (namespace: string[], options: { limit: number, offset: number }) => Promise<{ key: string,
 *   value: Json }[]> }} RecordStore
 */

const STORED = Promise.resolve();
const PAGE = 500;
const MOST_FOUND = 1000;

/** Records of one kind, by id, in the order in which they were made. @template {Json} Row */
export class Records {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /**
   * Records that belong to a thread, as runs do, by its id.
   * @type {Map<string, Map<string, Row>>}
   */
  #ofThread = new Map();
  #store;
  #namespace;
  /**
   * The last write of each record: writes of one follow each other.
   * @type {Map<string, Promise<unknown>>}
   */
  #writes = new Map();

  /**
   * Hears of each write; undefined: of a record that is deleted.
   * @type {((id: string, row: Row | undefined) => void) | undefined}
   */
  onWrite;

  /** @param {RecordStore | undefined} store none: they are in memory alone @param {string} kind */
  constructor(store, kind) {
    this.#store = store;
    this.#namespace = ["weft", "server", kind];
  }

  /** Reads what an earlier server kept. @returns {Promise<void>} */
  async load() {
    if (this.#store === undefined) return;
    /** @type {[string, Row][]} */
    const found = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#store.search(this.#namespace, { limit: PAGE, offset });
      for (const { key, value } of page) found.push([key, /** @type {Row} */ (value)]);
      if (page.length < PAGE) break;
    }
    // Ids of runs sort by time; the order of those of one millisecond is in them alone.
    found.sort(
      ([id, one], [otherId, other]) =>
        compare(one.created_at, other.created_at) || compare(id, otherId),
    );
    for (const [key, row] of found) if (!this.#rows.has(key)) this.#keep(key, row);
  }

  /** Does a later server find them? */
  get isStored() {
    return this.#store !== undefined;
  }

  /** @param {string} id @param {Row} row */
  #keep(id, row) {
    this.#rows.set(id, row);
    const thread = row.thread_id;
    if (thread === undefined || thread === id) return;
    const rows = this.#ofThread.get(String(thread)) ?? new Map();
    this.#ofThread.set(String(thread), rows.set(id, row));
  }

  /** @param {string} id @returns {Row | undefined} */
  get(id) {
    return this.#rows.get(id);
  }

  /** @returns {Iterable<Row>} */
  all() {
    return this.#rows.values();
  }

  /** @param {string} threadId @returns {number} */
  countOf(threadId) {
    return this.#ofThread.get(threadId)?.size ?? 0;
  }

  /** @param {string} threadId @returns {Row[]} the oldest first */
  ofThread(threadId) {
    return [...(this.#ofThread.get(threadId)?.values() ?? [])];
  }

  /** @param {string} id @param {Row} row @returns {Promise<unknown>} it is stored */
  put(id, row) {
    this.#keep(id, row);
    this.onWrite?.(id, row);
    return this.#write(id, (store) => store.put(this.#namespace, id, row, false));
  }

  /**
   * Stores fields that a record does not have yet: whoever reads a record reads what is stored. The
   * caller gives them to the record as soon as this is done.
   * @param {string} id
   * @param {Partial<Row>} fields
   * @returns {Promise<unknown>}
   */
  store(id, fields) {
    return this.#write(id, async (store) => {
      const row = this.#rows.get(id);
      if (row !== undefined) await store.put(this.#namespace, id, { ...row, ...fields }, false);
    });
  }

  /**
   * Takes over what another server of the registry wrote. A record that is here stays the same
   * object: runs hold it.
   * @param {string} id
   * @param {Row | undefined} row undefined: it is deleted
   */
  mirror(id, row) {
    const known = this.#rows.get(id);
    if (row === undefined) return this.#drop(id);
    if (known === undefined) return this.#keep(id, row);
    for (const key of Object.keys(known)) if (!(key in row)) delete known[key];
    Object.assign(known, row);
  }

  /** @returns {Promise<unknown>} what is being written is stored, or has failed */
  written() {
    return Promise.allSettled([...this.#writes.values()]);
  }

  /** @param {string} id @returns {Promise<unknown>} */
  delete(id) {
    this.#drop(id);
    this.onWrite?.(id, undefined);
    return this.#write(id, (store) => store.delete(this.#namespace, id));
  }

  /** @param {string} id */
  #drop(id) {
    const thread = String(this.#rows.get(id)?.thread_id);
    const rows = this.#ofThread.get(thread);
    rows?.delete(id);
    if (rows?.size === 0) this.#ofThread.delete(thread);
    this.#rows.delete(id);
  }

  /** @param {string} id @param {(store: RecordStore) => Promise<unknown>} write */
  #write(id, write) {
    const store = this.#store;
    if (store === undefined) return STORED;
    const done = (this.#writes.get(id) ?? STORED).catch(() => {}).then(() => write(store));
    this.#writes.set(id, done);
    const forget = () => {
      if (this.#writes.get(id) === done) this.#writes.delete(id);
    };
    done.then(forget, forget);
    return done;
  }
}

/** @param {unknown} one @param {unknown} other */
function compare(one, other) {
  const [left, right] = [String(one ?? ""), String(other ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * @template {Json} Row
 * @param {Iterable<Row>} rows
 * @param {Json} query
 * @param {{ equal: readonly string[], containing?: readonly string[], sortable?: readonly string[]
 *   }} how fields that are compared, objects whose fields are, and what may be sorted by
 * @returns {{ found: Row[], total: number, headers: Record<string, string> }} a page, the newest
 *   first unless it is asked otherwise, and what an answer says of it
 */
export function searchRecords(rows, query, { equal, containing = [], sortable = [] }) {
  const wanted = equal
    .map((key) => [key, textIn(query, key)])
    .filter(([, value]) => value !== undefined);
  const parts = containing
    .map((key) => /** @type {const} */ ([key, objectIn(query, key)]))
    .filter(([, value]) => value !== undefined);
  const ids = textsIn(query, "ids");
  const by = oneOf(query, "sort_by", sortable) ?? "created_at";
  const isDown = (oneOf(query, "sort_order", ["asc", "desc"]) ?? "desc") === "desc";
  const limit = countIn(query, "limit", 10, MOST_FOUND);
  const offset = countIn(query, "offset", 0, Number.MAX_SAFE_INTEGER);
  const found = [...rows].filter(
    (row) =>
      wanted.every(([key, value]) => row[/** @type {string} */ (key)] === value) &&
      parts.every(([key, value]) => contains(row[key] ?? {}, value)) &&
      (ids === undefined || ids.includes(String(row.thread_id))),
  );
  if (by !== "created_at") found.sort((one, other) => compare(one[by], other[by]));
  if (isDown) found.reverse();
  const total = found.length;
  /** @type {Record<string, string>} */
  const headers = { "x-pagination-total": String(total) };
  const end = offset + limit;
  if (end < total) headers["x-pagination-next"] = String(end);
  return { found: found.slice(offset, end), total, headers };
}
