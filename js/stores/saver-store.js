// SPDX-License-Identifier: MIT
// A store that lasts: its items stand in a log of their own beside the threads of one of our savers, so wherever threads are
// kept. new SaverStore(saver, { index }). Several processes may share it; of two writers of a key the later one wins.
// Owns the items that it has read, and its place in the log.
import { LogWriter } from "../log/writer.js";
import { decodeValue, encodeValue } from "../engine/codec.js";
import { ABSENT } from "../engine/slots.js";
import { NULL_TASK_ID } from "../log/writes.js";
import { LogReader } from "../log/reader.js";
import { PLAIN, TASK_NULL } from "../log/record.js";
import { START, sameHead } from "../savers/log-port.js";
import { InMemoryStore } from "./memory.js";

/** @typedef {import("../savers/log-port.js").LogHead} LogHead */
/** @typedef {import("./memory.js").IndexConfig} IndexConfig */

const LOG = "weft:store";
const TRIES = 8;
const DONE = 1;

export class SaverStore extends InMemoryStore {
  #log;
  #id;
  /** The end of what was read. @type {LogHead | undefined} */
  #head;
  /** One batch after the other. @type {Promise<any>} */
  #turn = Promise.resolve();

  /**
   * @param {{ store: import("../savers/log-port.js").LogStore }} saver one of ours
   * @param {{ index?: IndexConfig, name?: string }} [options] `name`: a saver may keep several stores
   */
  constructor(saver, options) {
    super(options);
    this.#log = saver.store;
    this.#id = options?.name === undefined ? LOG : `${LOG}:${options.name}`;
  }

  /** @param {any[]} operations @returns {Promise<any[]>} */
  batch(operations) {
    const turn = this.#turn.then(async () => {
      await this.#refresh();
      return super.batch(operations);
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** @param {any[]} changes those that were read stand in the log already */
  async keep(changes) {
    const fresh = changes.filter(({ isRead }) => !isRead);
    if (fresh.length > 0) await this.#append(fresh);
  }

  /** Takes in what others have written. */
  async #refresh() {
    const head = await this.#log.head(this.#id);
    if (sameHead(head, this.#head)) return;
    let known = this.#head?.seq ?? 0;
    for (const from of [known + 1, 1]) {
      // Values that were read are not kept; a log that was written anew may refer to them, and is read from its start.
      const reader = new LogReader();
      try {
        for (const piece of await this.#log.read(this.#id, from === 1 ? {} : { from })) {
          for (const { seq, tasks } of reader.read(piece)) {
            if (seq > known) await super.batch(tasks.flatMap(({ writes }) => writes.map(operationOf)));
            known = Math.max(known, seq);
          }
        }
        break;
      } catch (error) {
        if (from === 1 || !(error instanceof RangeError)) throw error;
      }
    }
    this.#head = head;
  }

  /** @param {any[]} puts */
  async #append(puts) {
    for (let tries = 1; ; tries++) {
      const writer = new LogWriter(this.#id, this.#head ?? START);
      /** @type {import("../log/record.js").WriteRecord[]} */
      const writes = puts.map(({ namespace, key, value, vectors, at }) => ({
        special: PLAIN,
        channel: JSON.stringify([namespace, key]),
        index: 0,
        value: value === null ? ABSENT : encodeValue({ value, at, vectors }),
      }));
      writer.add({ ns: "", id: NULL_TASK_ID, tasks: [{ key: { kind: TASK_NULL, node: "", trigger: "", index: 0, id: "" }, outcome: DONE, writes }] });
      const head = { seq: writer.seq, crc: writer.crc };
      try {
        await this.#log.append(this.#id, { ...head, firstSeq: writer.firstSeq }, writer.take(), this.#head);
        this.#head = head;
        return;
      } catch (error) {
        if (tries === TRIES || /** @type {any} */ (error).code !== "FENCED") throw error;
        await this.#refresh();
      }
    }
  }
}

/** A stored write as the operation that it was. @param {import("../log/record.js").WriteRecord} write */
function operationOf({ channel, value: token }) {
  const [namespace, key] = JSON.parse(channel);
  if (token === ABSENT) return { namespace, key, value: null, vectors: [], isRead: true };
  return { namespace, key, ...decodeValue(String(token)), isRead: true };
}
