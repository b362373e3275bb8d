// SPDX-License-Identifier: MIT
// Defines the contract of log stores as a test suite: run it over your own store in its runtime.
// Depends on LogStore only; brings no test runner and no assertion library.
import { laws } from "./cases.js";
import { limits } from "./limits.js";
import { createKit } from "./kit.js";

/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/**
 * The method takes the stores of its own class only.
 * @typedef {{ reopen(store: LogStore): LogStore | Promise<LogStore> }} Stores
 */
/**
 * @typedef {object} ContractOptions
 * @property {(name: string, run: () => Promise<void>) => void} test Registers a test.
 * @property {(condition: unknown, message?: string) => void} assert Throws when the condition is
 *   false.
 * @property {() => LogStore | Promise<LogStore>} makeStore Creates a store over an initially
 *   empty storage.
 * @property {Stores["reopen"]} [reopen] Creates a second store over the
 *   storage of `store`, which stays in use. Without it the tests of persistence and of two writers
 *   are omitted.
 * @property {(threadId: string, before: { seq: number, crc: number }, sizes: number[]) => { bytes:
 *   Uint8Array, head: { seq: number, crc: number } }} [makeFrames] Makes frames with bodies of
 *   these sizes after `before`; arbitrary bytes by default. A store that reads frames needs real
 *   ones.
 * @property {{ witness?: boolean, bigBytes?: number, exactBytes?: boolean }} [features] `witness`:
 *   the store has one. `exactBytes` false: its byteLength counts more than the records. `bigBytes`:
 *   size of the largest commit tried, 5 MB by default.
 */

/** Registers the contract's tests. @param {ContractOptions} options */
export function storeContract(options) {
  const kit = createKit(options);
  laws(options, kit);
  limits(options, kit);
}
