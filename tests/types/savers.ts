// SPDX-License-Identifier: MIT
// Serves: the types of checkpointers and stores as LangGraph has them: a saver and a store of one's
// own, tuples, operations.
import {
  BaseCheckpointSaver,
  BaseStore,
  InMemoryStore,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  copyCheckpoint,
  emptyCheckpoint,
} from "weftgraph";
import type {
  Checkpoint,
  CheckpointTuple,
  Item,
  Operation,
  OperationResults,
  PendingWrite,
  RunnableConfig,
  SearchItem,
} from "weftgraph";
import { JsonPlusSerializer, compareChannelVersions } from "weftgraph/checkpoint";
import type { CheckpointMetadata } from "weftgraph/checkpoint";
import { KvSaver } from "weftgraph/savers/kv";
import { watchThread } from "weftgraph/savers/watch";
import { SaverStore } from "weftgraph/stores/saver";
import { expectType } from "./expect.js";

class Own extends BaseCheckpointSaver {
  tuples: CheckpointTuple[] = [];
  async getTuple(_config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return this.tuples[0];
  }
  async *list(_config: RunnableConfig): AsyncGenerator<CheckpointTuple> {
    yield* this.tuples;
  }
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    this.tuples.unshift({ config, checkpoint, metadata });
    return config;
  }
  async putWrites(_config: RunnableConfig, _writes: PendingWrite[], _taskId: string) {}
  async deleteThread(_threadId: string) {}
}

class OwnStore extends BaseStore {
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    return operations.map(() => null) as OperationResults<Op>;
  }
}

const builder = new StateGraph(MessagesAnnotation).addNode("a", () => ({})).addEdge(START, "a");
for (const checkpointer of [
  new Own(),
  new MemorySaver(),
  new MemorySaver(new JsonPlusSerializer()),
])
  builder.compile({ checkpointer });
builder.compile({ checkpointer: new Own(), store: new OwnStore() });
builder.compile({
  checkpointer: false,
  store: new SaverStore(new MemorySaver(), { name: "users" }),
});
// @ts-expect-error no checkpointer
builder.compile({ checkpointer: {} });

expectType<Checkpoint>()(copyCheckpoint(emptyCheckpoint()));
expectType<number>()(compareChannelVersions(1, "2"));
const saver = new MemorySaver();
expectType<Promise<CheckpointTuple | undefined>>()(
  saver.getTuple({ configurable: { thread_id: "1" } }),
);
expectType<[Uint8Array, Uint8Array, string | undefined]>()(saver.storage.t[""].id);

const store = new InMemoryStore({
  index: {
    dims: 2,
    embeddings: { embedDocuments: async () => [[1, 2]], embedQuery: async () => [1, 2] },
    fields: ["$"],
  },
});
expectType<Promise<Item | null>>()(store.get(["a"], "k"));
expectType<Promise<SearchItem[]>>()(store.search(["a"], { filter: { x: { $gt: 1 } }, query: "q" }));
expectType<Promise<string[][]>>()(store.listNamespaces({ prefix: ["a"], maxDepth: 2 }));
// @ts-expect-error a store's index needs embeddings
new InMemoryStore({ index: { dims: 2 } });

new KvSaver({
  get: () => undefined,
  put: () => {},
  list: () => [],
  delete: () => {},
  cas: () => true,
  prefix: "p/",
});
new KvSaver({
  get: () => undefined,
  put: () => {},
  list: () => [],
  delete: () => {},
  cas: () => true,
  keep: { last: 5, days: 1, pinned: [] },
});
new MemorySaver(undefined, {
  keep: { days: 7, every: 100, onError: (error: unknown, id: string) => console.log(error, id) },
}).prune("1");
// @ts-expect-error no such rule
new MemorySaver(undefined, { keep: { newest: 7 } });
// @ts-expect-error without compare-and-set two writers could corrupt a thread
new KvSaver({ get: () => undefined, put: () => {}, list: () => [], delete: () => {} });

builder
  .compile({ multitaskStrategy: "reject" })
  .invoke({ messages: [] }, { multitaskStrategy: "enqueue" });
builder.compile().updateState({ multitaskStrategy: "concurrent" }, { messages: [] });
// @ts-expect-error no such strategy
builder.compile({ multitaskStrategy: "rollback" });
expectType<() => void>()(
  watchThread(saver, "1", ({ seq }) => expectType<number | undefined>()(seq)),
);
saver.strict = saver.isolate = true;
saver.witness = {
  get: async (threadId) => (threadId === "1" ? { seq: 1, crc: 2 } : undefined),
  set: (_threadId, _head) => {},
};
builder.compile({
  stateVersion: 2,
  migrate: ({ old, ...rest }, from) => ({ ...rest, fresh: [old, from] }),
});
// @ts-expect-error a version is a number
builder.compile({ stateVersion: "2" });
