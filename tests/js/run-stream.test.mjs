// SPDX-License-Identifier: MIT
// Runs of version 3 whose transformers throw at their ends: every reader is told, none waits for
// ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGraphRunStream } from "weftgraph";

const FALSY = [undefined, null, 0, "", false];

/**
 * @param {any} ends `finalize` or `fail` of the transformer
 * @param {{ error: unknown } | undefined} [failure] of the run
 */
function open(ends, failure) {
  async function* chunks() {
    yield [[], "values", { x: 1 }];
    if (failure !== undefined) throw failure.error;
  }
  return createGraphRunStream(chunks(), [
    () => ({ init: () => ({}), process: () => true, ...ends }),
  ]);
}

/**
 * What a reader is told: the methods of the events, then what it ended with.
 * @param {AsyncIterable<any>} events
 */
async function read(events) {
  const told = [];
  try {
    for await (const { method } of events) told.push(method);
  } catch (error) {
    return [told, { error }];
  }
  return [told, undefined];
}

for (const thrown of [new Error("late"), ...FALSY]) {
  test(`finalize throws ${String(thrown)}: events end with it, the output stands, others are finalized`, async () => {
    let finalized = 0;
    const run = open({
      finalize: () => {
        throw thrown;
      },
    });
    run._mux.addTransformer({ init: () => ({}), process: () => true, finalize: () => finalized++ });
    const [told, end] = await read(run);
    assert(told.includes("values"));
    assert.deepEqual(end, { error: thrown });
    assert.deepEqual(await run.output, { x: 1 });
    assert.equal(finalized, 1);
  });

  test(`fail throws ${String(thrown)}: readers are told why the run failed`, async () => {
    for (const error of [new RangeError("node"), ...FALSY]) {
      const run = open(
        {
          fail: () => {
            throw thrown;
          },
        },
        { error },
      );
      assert.deepEqual((await read(run))[1], { error });
      assert.deepEqual(
        await run.output.then(
          () => undefined,
          (told) => ({ told }),
        ),
        { told: error },
      );
    }
  });
}
