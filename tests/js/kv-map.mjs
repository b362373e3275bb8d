// SPDX-License-Identifier: MIT
// A KvSaver over a Map: the storage is what the test holds, and each call is another process on it.
import { KvSaver } from "weftgraph/savers/kv";

/** @param {Map<string, Uint8Array>} map */
export function kvOver(map) {
  return new KvSaver({
    get: (key) => map.get(key),
    put: (key, value) => map.set(key, value),
    list: (prefix) => [...map.keys()].filter((key) => key.startsWith(prefix)).sort(),
    delete: (key) => map.delete(key),
    cas: (key, expected, value) => {
      const held = map.get(key);
      if (
        expected === undefined
          ? held !== undefined
          : held === undefined || Buffer.compare(held, expected) !== 0
      )
        return false;
      map.set(key, value);
      return true;
    },
  });
}
