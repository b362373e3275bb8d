// SPDX-License-Identifier: MIT
// Provides helpers of the contract's tests: a writer of commits, and checks of a store's answers.
import { START } from "../../log/log-store.js";
import { concat } from "../../log/concat.js";

/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {ReturnType<typeof createKit>} Kit */

let drawn = 1;

/** Makes bytes that differ from call to call (xorshift32). @param {number} size */
function arbitraryBytes(size) {
  const bytes = new Uint8Array(size);
  let state = (drawn = (Math.imul(drawn, 2654435761) + 12345) >>> 0) || 1;
  for (let i = 0; i < size; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}

/**
 * @param {string} _threadId
 * @param {LogHead} before
 * @param {number[]} sizes
 */
function arbitraryFrames(_threadId, before, sizes) {
  const bytes = arbitraryBytes(sizes.reduce((sum, size) => sum + size, 0) || 1);
  return {
    bytes,
    head: {
      seq: before.seq + sizes.length,
      crc: (Math.imul(bytes[0] + 1, 2654435761) ^ drawn) >>> 0,
    },
  };
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** @param {import("./contract.js").ContractOptions} options */
export function createKit({ assert, makeFrames = arbitraryFrames }) {
  /**
   * Creates a writer with its own view of the head and of all acknowledged bytes.
   * @param {LogStore} store
   * @param {string} threadId
   */
  function createWriter(store, threadId) {
    const writer = {
      threadId,
      /** @type {LogHead | undefined} */
      head: undefined,
      /** @type {Uint8Array[]} */
      written: [],
      /** @param {number[]} sizes */
      make(sizes = [100]) {
        const before = writer.head ?? START;
        const { bytes, head } = makeFrames(threadId, before, sizes);
        return { bytes, head, firstSeq: before.seq + 1 };
      },
      /** @param {number[]} [sizes] */
      async append(sizes) {
        const { bytes, head, firstSeq } = writer.make(sizes);
        await store.append(threadId, { ...head, firstSeq }, bytes, writer.head);
        writer.head = head;
        writer.written.push(bytes);
        return bytes;
      },
      /** Creates another writer with the same view. @param {LogStore} other */
      twin(other) {
        const twin = createWriter(other, threadId);
        twin.head = writer.head;
        twin.written = [...writer.written];
        return twin;
      },
    };
    return writer;
  }

  /**
   * Checks that the store's log and head are what the writer saw acknowledged.
   * @param {LogStore} store
   * @param {ReturnType<typeof createWriter>} writer
   */
  async function expectLog(store, writer) {
    const head = await store.head(writer.threadId);
    assert(
      head?.seq === writer.head?.seq && head?.crc === writer.head?.crc,
      `head is ${JSON.stringify(head)}, not ${JSON.stringify(writer.head)}`,
    );
    const stored = concat(await store.read(writer.threadId));
    const wanted = concat(writer.written);
    assert(
      stored.length === wanted.length,
      `the log has ${stored.length} bytes, not ${wanted.length}`,
    );
    assert(sameBytes(stored, wanted), "the log has the bytes that were acknowledged");
  }

  /**
   * Checks that a call throws one of these codes.
   * @param {string | string[]} codes
   * @param {() => unknown} call
   */
  async function expectCode(codes, call) {
    let error;
    try {
      await call();
    } catch (caught) {
      error = /** @type {{ code?: string, stack?: string }} */ (caught);
    }
    assert(error !== undefined, `nothing was thrown instead of ${codes}`);
    assert(
      [codes].flat().includes(/** @type {string} */ (error?.code)),
      `${error?.stack ?? error} instead of ${codes}`,
    );
  }

  return { createWriter, expectLog, expectCode, arbitraryBytes };
}
