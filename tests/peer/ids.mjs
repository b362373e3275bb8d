// SPDX-License-Identifier: MIT
// Recomputes the ids that are hashes: task ids (UUIDv5 of the checkpoint id, fact 9.4) and
// interrupt ids (XXH3-128 of the task's namespace, fact 10.5). Written from the published
// algorithms, not from the engine; LangGraph's own ids are checked with the same functions, so a
// mistake here shows at once.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";

const MASK = (1n << 64n) - 1n;
const P64_1 = 0x9e3779b185ebca87n;
const P64_2 = 0xc2b2ae3d27d4eb4fn;
const P64_4 = 0x85ebca77c2b2ae63n;
const SECRET = Buffer.from(
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364",
  "hex",
);

function uuidBytes(id) {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

/** @param {string} name @param {string} namespace a UUID */
export function uuid5(name, namespace) {
  const bytes = createHash("sha1")
    .update(uuidBytes(namespace))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const fold = (a, b) => {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
};
const read = (bytes, at) => bytes.readBigUInt64LE(at);

function mix(input, at, secret) {
  return fold(
    read(input, at) ^ read(SECRET, secret),
    read(input, at + 8) ^ read(SECRET, secret + 8),
  );
}

function avalanche(word) {
  let hash = word ^ (word >> 37n);
  hash = (hash * 0x165667919e3779f9n) & MASK;
  return hash ^ (hash >> 32n);
}

/** XXH3-128, seed 0, of 17 to 128 bytes. @param {string} text */
export function xxh3(text) {
  const input = Buffer.from(text);
  const { length } = input;
  assert(length > 16 && length <= 128, `${length} bytes`);
  let low = (BigInt(length) * P64_1) & MASK;
  let high = 0n;
  for (let i = Math.floor((length - 1) / 32); i >= 0; i--) {
    const front = 16 * i;
    const back = length - 16 * (i + 1);
    low =
      ((low + mix(input, front, 32 * i)) & MASK) ^
      ((read(input, back) + read(input, back + 8)) & MASK);
    high =
      ((high + mix(input, back, 32 * i + 16)) & MASK) ^
      ((read(input, front) + read(input, front + 8)) & MASK);
  }
  const first = avalanche((low + high) & MASK);
  const second =
    (1n << 64n) - avalanche((low * P64_1 + high * P64_4 + BigInt(length) * P64_2) & MASK);
  return [second & MASK, first].map((word) => word.toString(16).padStart(16, "0")).join("");
}

/** Most questions that a task of these programs asks. */
const MOST_QUESTIONS = 10;

/**
 * The ids of a task's questions, the first one's and those of what it asks later.
 * @param {string} namespace
 */
function questionIds(namespace) {
  return Array.from({ length: MOST_QUESTIONS }, (_, index) =>
    xxh3(index === 0 ? namespace : `${namespace}|${index}`),
  );
}

function sequenceOf(step) {
  return ((((step >> 8) | 0x80) & 0xff) << 8) | (step & 0xff);
}

/** Throws when an id of a snapshot is not what its checkpoint, path and triggers make of it. */
export function checkSnapshot(snapshot, triggers, around = new Set()) {
  const checkpoint = snapshot.config.configurable?.checkpoint_id;
  if (snapshot.metadata === undefined) return;
  const step = String(snapshot.metadata.step + 1);
  const sequence = parseInt(checkpoint.slice(19, 23), 16);
  const at = snapshot.metadata.step;
  // An update that runs no writers bears the number of the step before.
  const behind = ["update", "fork"].includes(snapshot.metadata.source) ? [at - 1] : [];
  assert(
    [at, ...behind].map(sequenceOf).includes(sequence),
    `the clock sequence of ${checkpoint} at step ${at}: ${sequence}`,
  );
  for (const task of snapshot.tasks) {
    const { name, path } = task;
    const ends =
      path[0] === "__pregel_push"
        ? [["__pregel_push", String(path[1])]]
        : ["__start__", `branch:to:${name}`, ...triggers].map((trigger) => [
            "__pregel_pull",
            [trigger],
          ]);
    const ids = ends.map((end) => uuid5(JSON.stringify([name, step, name, ...end]), checkpoint));
    assert(ids.includes(task.id), `the id of task ${name} at step ${step}: ${task.id}`);
    for (const interrupt of task.interrupts) {
      if (interrupt.id !== undefined && !around.has(name))
        assert(
          questionIds(`${name}:${task.id}`).includes(interrupt.id),
          `the id of an interrupt of ${name}: ${interrupt.id}`,
        );
    }
  }
}
