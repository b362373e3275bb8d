// SPDX-License-Identifier: MIT
// Adds up chunks of a stream as LangChain does, and runs lists of work in parallel. Does not depend
// on Runnables.

/** @typedef {import("./callable.js").Value} Value */

/**
 * @param {Value} first
 * @param {Value} second
 * @returns {unknown}
 */
export function concat(first, second) {
  if (Array.isArray(first) && Array.isArray(second)) return first.concat(second);
  const type = typeof first;
  if (type === typeof second && (type === "string" || type === "number")) return first + second;
  if (typeof first?.concat === "function") return first.concat(second);
  if (type !== "object" || typeof second !== "object")
    throw new Error(`Cannot concat ${type} and ${typeof second}`);
  const sum = { ...first };
  for (const [key, value] of Object.entries(second))
    sum[key] = key in sum && !Array.isArray(sum[key]) ? concat(sum[key], value) : value;
  return sum;
}

/**
 * @param {AsyncIterable<unknown> | Iterable<unknown>} chunks
 * @returns {Promise<Value>} their sum
 */
export async function sumOf(chunks) {
  /** @type {Value} */
  let sum;
  for await (const chunk of chunks) sum = sum === undefined ? chunk : concat(sum, chunk);
  return sum;
}

/**
 * Is it an iterator, as generator functions return it?
 * @param {unknown} value
 * @returns {boolean}
 */
export function isIterator(value) {
  const given = /** @type {Partial<AsyncGenerator & Generator> | null} */ (value);
  if (typeof given !== "object" || given === null || typeof given.next !== "function") return false;
  return typeof (given[Symbol.asyncIterator] ?? given[Symbol.iterator]) === "function";
}

/** @param {unknown} value */
export async function* once(value) {
  yield value;
}

/**
 * Merges streams into one: yields each chunk under its stream's key as it arrives.
 * @param {Array<[string, AsyncIterable<unknown>]>} streams
 */
export async function* merge(streams) {
  const waiting = new Map();
  /** @type {(key: string, iterator: AsyncIterator<unknown>) => Promise<unknown>} */
  const take = (key, iterator) => iterator.next().then((result) => ({ key, iterator, result }));
  for (const [key, stream] of streams) waiting.set(key, take(key, stream[Symbol.asyncIterator]()));
  while (waiting.size > 0) {
    const { key, iterator, result } = await Promise.race(waiting.values());
    waiting.delete(key);
    if (result.done) continue;
    yield { [key]: result.value };
    waiting.set(key, take(key, iterator));
  }
}

/**
 * Runs `run` for all items, at most `limit` at a time. Returns settled results in items' order.
 * @template Item
 * @param {Item[]} items
 * @param {number | undefined} limit
 * @param {(item: Item, index: number) => Promise<unknown>} run
 * @returns {Promise<PromiseSettledResult<unknown>[]>}
 */
export async function settleAll(items, limit, run) {
  if (limit === undefined || !(limit > 0) || limit >= items.length)
    return Promise.allSettled(items.map(run));
  /** @type {PromiseSettledResult<unknown>[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      [results[index]] = await Promise.allSettled([run(items[index], index)]);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

/**
 * Returns the fulfilled values; a rejection's reason is included or thrown.
 * @param {PromiseSettledResult<unknown>[]} results
 * @param {boolean} [returnExceptions]
 * @returns {unknown[]}
 */
export function valuesOf(results, returnExceptions) {
  return results.map((result) => {
    if (result.status === "fulfilled") return result.value;
    if (returnExceptions) return result.reason;
    throw result.reason;
  });
}
