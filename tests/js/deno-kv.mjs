// SPDX-License-Identifier: MIT
// Deno.Kv as far as our store calls it, over a Map: keys in order, version stamps, atomic writes
// with checks, and its limits (values of 64 KiB, 800 KiB and 1,000 changes a write). For tests in
// Node; the real one is used in tests/runtime.

const MOST_VALUE = 65536;
const textOf = (key) =>
  JSON.stringify(
    key.map((part) =>
      typeof part === "number" ? ["n", String(part).padStart(20, "0")] : ["s", part],
    ),
  );
const sizeOf = (value) =>
  value instanceof Uint8Array
    ? value.length
    : JSON.stringify(value, (_, part) =>
        part instanceof Uint8Array ? "x".repeat(part.length) : part,
      ).length;

/**
 * @param {Map<string, { key: any[], value: any, versionstamp: string }>} held
 * @param {(verb: string, call: () => any) => Promise<any>} [step] told of each call
 */
export function createDenoKv(held, step = async (_, call) => call()) {
  let stamp = [...held.values()].reduce(
    (most, { versionstamp }) => Math.max(most, Number(versionstamp)),
    0,
  );
  const entryOf = (key) => held.get(textOf(key)) ?? { key, value: null, versionstamp: null };
  const put = (key, value) => {
    if (sizeOf(value) > MOST_VALUE)
      throw new TypeError(`Value too large (max ${MOST_VALUE} bytes)`);
    held.set(textOf(key), { key, value: structuredClone(value), versionstamp: String(stamp) });
  };
  const starts = (key, prefix) => prefix.every((part, i) => key[i] === part);

  class Atomic {
    checks = [];
    changes = [];
    bytes = 0;

    check(...entries) {
      this.checks.push(...entries);
      return this;
    }

    set(key, value) {
      this.bytes += sizeOf(value);
      this.changes.push(() => put(key, value));
      return this;
    }

    delete(key) {
      this.changes.push(() => held.delete(textOf(key)));
      return this;
    }

    commit() {
      return step("commit", () => {
        if (this.changes.length > 1000 || this.bytes > 800 * 1024)
          throw new TypeError("Total mutation size too large");
        if (this.checks.some(({ key, versionstamp }) => entryOf(key).versionstamp !== versionstamp))
          return { ok: false };
        stamp++;
        for (const change of this.changes) change();
        return { ok: true, versionstamp: String(stamp) };
      });
    }
  }

  return {
    get: (key) => step("get", () => entryOf(key)),
    getMany: (keys) => step("getMany", () => keys.map(entryOf)),
    set: (key, value) =>
      step("set", () => (stamp++, put(key, value), { ok: true, versionstamp: String(stamp) })),
    delete: (key) => step("delete", () => void held.delete(textOf(key))),
    atomic: () => new Atomic(),
    async *list({ prefix = [], start, end }, { limit = Infinity } = {}) {
      const found = await step("list", () =>
        [...held.entries()]
          .filter(
            ([text, { key }]) =>
              starts(key, prefix) &&
              key.length > prefix.length &&
              (start === undefined || text >= textOf(start)) &&
              (end === undefined || text < textOf(end)),
          )
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([, entry]) => entry),
      );
      yield* found;
    },
  };
}
