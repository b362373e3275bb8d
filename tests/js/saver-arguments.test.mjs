// SPDX-License-Identifier: MIT
// Savers, their stores and what watches them: arguments of wrong types are errors with a code that
// name the argument.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { InMemoryStore, MemorySaver } from "weftgraph";
import { emptyCheckpoint } from "weftgraph/checkpoint";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { KvSaver } from "weftgraph/savers/kv";
import { watchThread, watchThreads } from "weftgraph/savers/watch";
import { SaverStore } from "weftgraph/stores/saver";
import { kvOver } from "./kv-map.mjs";

const path = await fs.mkdtemp(join(tmpdir(), "weft-arguments-"));
test.after(() => fs.rm(path, { recursive: true, force: true }));
const NO_OBJECTS = [null, 5, "x", true, Symbol("s"), () => {}];

test("a saver that is made of nothing, or of what is none, names what it needs", () => {
  for (const odd of [undefined, ...NO_OBJECTS, {}]) {
    for (const Saver of [FileSaver, KvSaver, DenoKvSaver, DurableObjectSaver])
      assert.throws(
        () => new Saver(odd),
        { code: "BAD_ARGUMENT", message: /path|function|`kv`|Durable Object/ },
        Saver.name,
      );
  }
  for (const odd of NO_OBJECTS)
    assert.throws(() => new IdbfsSaver(odd), { code: "BAD_ARGUMENT", message: /IdbfsSaver/ });
  for (const odd of [5, "x", {}, { dumpsTyped: () => {} }])
    assert.throws(() => new MemorySaver(odd), { code: "BAD_ARGUMENT", message: /`serde`/ });
  for (const odd of NO_OBJECTS.slice(1)) {
    assert.throws(() => new InMemoryStore(odd), { code: "BAD_ARGUMENT", message: /store/ });
    // A name that is given as the options would be another store's.
    assert.throws(() => new SaverStore(new MemorySaver(), odd), {
      code: "BAD_ARGUMENT",
      message: /store/,
    });
    assert.throws(() => new InMemoryStore({ index: odd }), {
      code: "BAD_ARGUMENT",
      message: /`index`/,
    });
  }
});

for (const [name, saver] of Object.entries({
  MemorySaver: new MemorySaver(),
  FileSaver: new FileSaver({ path }),
  KvSaver: kvOver(new Map()),
})) {
  test(`${name}: LangGraph's methods name the argument that is none, and store nothing`, async () => {
    const config = {
      configurable: {
        thread_id: "t",
        checkpoint_ns: "",
        checkpoint_id: "1f000000-0000-6000-8000-000000000000",
      },
    };
    const drain = async (list) => {
      for await (const _ of list);
    };
    for (const odd of [undefined, ...NO_OBJECTS]) {
      const refused = (argument) => ({ code: "BAD_ARGUMENT", message: argument });
      await assert.rejects(saver.getTuple(odd), refused(/`config` is an object/));
      await assert.rejects(saver.get(odd), refused(/`config` is an object/));
      await assert.rejects(drain(saver.list(odd)), refused(/`config` is an object/));
      await assert.rejects(
        saver.put(odd, emptyCheckpoint(), {}, {}),
        refused(/`config` is an object/),
      );
      await assert.rejects(saver.put(config, odd, {}, {}), refused(/`checkpoint` is an object/));
      if (odd !== undefined)
        await assert.rejects(
          saver.put(config, emptyCheckpoint(), odd, {}),
          refused(/`metadata` is an object/),
        );
      await assert.rejects(
        saver.putWrites(odd, [], "1f000000-0000-5000-8000-000000000001"),
        refused(/`config` is an object/),
      );
      for (const writes of [odd, {}, [odd]])
        await assert.rejects(
          saver.putWrites(config, writes, "1f000000-0000-5000-8000-000000000001"),
          refused(/`writes` is a list/),
        );
      await assert.rejects(saver.getDeltaChannelHistory(odd), refused(/getDeltaChannelHistory/));
      await assert.rejects(
        saver.getDeltaChannelHistory({ config, channels: odd }),
        refused(/`channels`/),
      );
      assert.throws(
        () => watchThreads(saver, odd === NO_OBJECTS.at(-1) ? {} : odd),
        refused(/`listener`/),
      );
      assert.throws(
        () => watchThread(saver, "t", odd === NO_OBJECTS.at(-1) ? {} : odd),
        refused(/`listener`/),
      );
    }
    await drain(saver.list(config, null));
    assert.deepEqual(await saver.listThreads(), []);
  });
}
