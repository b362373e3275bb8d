// SPDX-License-Identifier: MIT
// A checkpointer for Redis: KvSaver over a client of the shape of node-redis 5 (`createClient`,
// commands in buffers). Several processes may share it; of two writers of a thread one wins at each
// commit, the other's run fails with FENCED.
import { KvSaver } from "weftgraph/savers/kv";

/**
 * Sets a key if it holds exactly what is expected; "" stands for a key that is not there, which no
 * value of KvSaver is.
 */
const COMPARE_AND_SET = `
local held = redis.call("GET", KEYS[1]) or ""
if held ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2])
return 1`;

/**
 * @typedef {object} RedisClient what is used of a client whose replies are buffers
 * @property {(key: string) => Promise<Buffer | null>} get
 * @property {(key: string, value: Buffer) => Promise<unknown>} set
 * @property {(key: string) => Promise<unknown>} del
 * @property {(options: { MATCH: string, COUNT: number }) => AsyncIterable<(string | Buffer)[]>}
 *   scanIterator
 * @property {(script: string, options: { keys: string[], arguments: Buffer[] }) =>
 *   Promise<unknown>} eval
 */

/**
 * @param {RedisClient} client
 * @param {{ prefix?: string, keep?: import("weftgraph/savers/own").KeepOptions }} [options]
 */
export function redisSaver(client, options) {
  return new KvSaver({
    ...options,
    get: (key) => client.get(key),
    put: (key, value) => client.set(key, Buffer.from(value)),
    delete: (key) => client.del(key),
    async list(prefix) {
      const keys = [];
      // Characters that a pattern of Redis reserves are escaped.
      const MATCH = `${prefix.replaceAll(/[\\*?[\]]/g, "\\$&")}*`;
      for await (const found of client.scanIterator({ MATCH, COUNT: 1000 }))
        keys.push(...found.map(String));
      return keys;
    },
    async cas(key, expected, value) {
      const answer = await client.eval(COMPARE_AND_SET, {
        keys: [key],
        arguments: [Buffer.from(expected ?? []), Buffer.from(value)],
      });
      return Number(answer) === 1;
    },
  });
}
