// SPDX-License-Identifier: MIT
// A checkpointer of LangGraph.js that notes what it is asked, for both packages, and graphs to ask
// it.
import { MemorySaver } from "@langchain/langgraph-checkpoint";

/** The parts of a config that name a checkpoint. */
export function place({ configurable = {} } = {}) {
  const { thread_id, checkpoint_ns, checkpoint_id } = configurable;
  return [thread_id, checkpoint_ns, checkpoint_id];
}

/** A MemorySaver whose calls are notes of `t`, with copies of what they were given. */
export function noting(t, options = {}) {
  const copy = (value) => structuredClone(JSON.parse(JSON.stringify(value)));
  return new (class extends MemorySaver {
    async getTuple(config) {
      if (options.reads) t.note("getTuple", place(config));
      return super.getTuple(config);
    }
    async *list(config, listing) {
      t.note("list", [place(config), listing]);
      yield* super.list(config, listing);
    }
    async put(config, checkpoint, metadata, versions) {
      t.note("put", [place(config), copy(checkpoint), copy(metadata), versions]);
      if (options.slow) await new Promise((resolve) => setTimeout(resolve, options.slow));
      if (options.failsAt?.(metadata.step)) throw new RangeError(`no room at ${metadata.step}`);
      return super.put(config, checkpoint, metadata);
    }
    async putWrites(config, writes, taskId) {
      t.note("putWrites", [place(config), copy(writes), taskId]);
      return super.putWrites(config, writes, taskId);
    }
    getNextVersion(current) {
      if (options.versions === undefined) return super.getNextVersion(current);
      return options.versions(current);
    }
  })();
}

/** All that a MemorySaver holds, decoded. */
export async function contents(saver) {
  const shown = { storage: {}, writes: [] };
  for (const [thread, spaces] of Object.entries(saver.storage)) {
    for (const [ns, checkpoints] of Object.entries(spaces)) {
      for (const [id, [checkpoint, metadata, parent]] of Object.entries(checkpoints)) {
        shown.storage[`${thread} ${ns} ${id}`] = [
          await saver.serde.loadsTyped("json", checkpoint),
          await saver.serde.loadsTyped("json", metadata),
          parent,
        ];
      }
    }
  }
  for (const [key, byTask] of Object.entries(saver.writes)) {
    const writes = [];
    for (const [inner, [task, channel, value]] of Object.entries(byTask))
      writes.push([inner, task, channel, await saver.serde.loadsTyped("json", value)]);
    shown.writes.push([key, writes]);
  }
  // Which run's writes came first is chance: by namespace without ids, then by checkpoint.
  const order = ([key]) =>
    JSON.parse(key)
      .join(" ")
      .replace(/(?<=:)[0-9a-f-]{36}/g, "");
  shown.writes.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return shown;
}

/** Without the empty notes of what functional tasks have seen: a log does not name them. */
export function withoutCalls(held) {
  for (const [checkpoint] of Object.values(held.storage)) {
    for (const [node, seen] of Object.entries(checkpoint.versions_seen))
      if (node !== "__input__" && Object.keys(seen).length === 0)
        delete checkpoint.versions_seen[node];
  }
  return held;
}
