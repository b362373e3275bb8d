// SPDX-License-Identifier: MIT
// docs/log-format.md is enough to read a thread: examples/log-reader, Python that shares nothing
// with this package, prints from the files of a FileSaver what getState and getStateHistory show.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  AIMessage,
  Annotation,
  Command,
  END,
  HumanMessage,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  entrypoint,
  getPreviousState,
  interrupt,
  isBaseMessage,
  task,
} from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { pruneThread } from "weftgraph/savers/retention";

const program = fileURLToPath(new URL("../../examples/log-reader/read_log.py", import.meta.url));
const path = mkdtempSync(join(tmpdir(), "weft-log-reader-"));
after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
const saver = new FileSaver({ path });

const readerPrints = (threadId) =>
  execFileSync("python3", [program, path, threadId], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: "pipe",
  })
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

function folderOf(threadId) {
  const folder = join(path, "threads", createHash("sha256").update(threadId).digest("hex"));
  return join(
    folder,
    readdirSync(folder).find((name) => name.startsWith("log-")),
  );
}

/** The formats and kinds of a thread's records, as the headers in its files say. */
function headersOf(threadId) {
  const folder = folderOf(threadId);
  return readdirSync(folder)
    .filter((name) => /^[cs]-/.test(name))
    .flatMap((name) => {
      const bytes = readFileSync(join(folder, name)).subarray(32);
      const headers = [];
      for (let at = 0; at < bytes.length; at += 48 + bytes.readUInt32LE(at + 8))
        headers.push({ format: bytes[at + 4], kind: bytes[at + 5] });
      return headers;
    });
}

/** What the reader prints of a value, with messages as [type, text, id] on both sides. */
function opened(value) {
  if (value?.table?.every(([tag, path]) => tag === "message" && path.length <= 1)) {
    const isOne = value.table[0][1].length === 0;
    return isOne ? toMessage(value.json) : value.json.map(toMessage);
  }
  return Array.isArray(value) ? value.map(opened) : value;
}
const toMessage = ([type, { content, id }]) => [type, content, id ?? null];
const shown = (value) =>
  Array.isArray(value)
    ? value.map(shown)
    : isBaseMessage(value)
      ? [value.getType(), value.content, value.id ?? null]
      : value;

/** Compares each checkpoint of a namespace with its line. */
async function compare(graph, threadId, ns = "", all = readerPrints(threadId)) {
  const config = { configurable: { thread_id: threadId, checkpoint_ns: ns } };
  const lines = all.filter((line) => line.ns === ns);
  const history = [];
  for await (const snapshot of graph.getStateHistory(config)) history.push(snapshot);
  assert.deepEqual(
    lines.map(({ id }) => id),
    history.map(({ config }) => config.configurable.checkpoint_id),
  );
  for (const [at, snapshot] of history.entries()) {
    const { parent, source, step, values, writes } = lines[at];
    assert.equal(parent, snapshot.parentConfig?.configurable.checkpoint_id ?? null);
    assert.deepEqual(
      { source, step },
      { source: snapshot.metadata.source, step: snapshot.metadata.step },
    );
    for (const [key, value] of Object.entries(snapshot.values))
      assert.deepEqual(opened(values[key] ?? []), shown(value), `${key} of step ${step}`);
    const asked = snapshot.tasks.flatMap(({ name, interrupts }) =>
      interrupts.map(({ value }) => [name, value]),
    );
    assert.deepEqual(
      writes
        .filter(({ channel }) => channel === "__interrupt__")
        .map(({ task, value }) => [task, value]),
      asked,
    );
  }
  return lines;
}

const count = Annotation.Root({
  n: Annotation(),
  notes: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  at: Annotation(),
});

test("prints the checkpoints of a flat graph, with values that JSON does not hold", async () => {
  const graph = new StateGraph(count)
    .addNode("add", ({ n }) => ({
      n: n + 1,
      notes: [`ünï ${n}`, { deep: [null, true, -1.5, 2 ** 40] }],
      at: n === 3 ? new Date(0) : undefined,
    }))
    .addEdge(START, "add")
    .addConditionalEdges("add", ({ n }) => (n < 5 ? "add" : END))
    .compile({ checkpointer: saver });
  await graph.invoke({ n: 0 }, { configurable: { thread_id: "flat" } });
  const lines = readerPrints("flat");
  assert.deepEqual(
    lines.map(({ step, values }) => [step, values.n]),
    [
      [5, 5],
      [4, 4],
      [3, 3],
      [2, 2],
      [1, 1],
      [0, 0],
      [-1, undefined],
    ],
  );
  assert.deepEqual(lines[1].values.at, { json: "1970-01-01T00:00:00.000Z", table: [["date", []]] });
  assert.deepEqual(lines[0].values.notes.slice(-2), [
    "ünï 4",
    { deep: [null, true, -1.5, 2 ** 40] },
  ]);
  assert.deepEqual(
    lines[0].values.notes,
    (await graph.getState({ configurable: { thread_id: "flat" } })).values.notes,
  );
});

test("prints the messages of a conversation, edited and removed ones too", async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("say", ({ messages }) => ({
      messages: [
        new AIMessage({
          id: `a${messages.length}`,
          content: `${messages.length} messages, and a sentence that is long enough to be edited`,
        }),
      ],
    }))
    .addEdge(START, "say")
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: "messages" } };
  for (let turn = 0; turn < 40; turn++)
    await graph.invoke(
      {
        messages: [
          new HumanMessage({
            id: `h${turn}`,
            content:
              "The same question again, word for word, so that there is something to refer to",
          }),
        ],
      },
      config,
    );
  await graph.updateState(config, {
    messages: [
      new AIMessage({
        id: "a1",
        content: "1 messages, and a word that is long enough to be edited",
      }),
    ],
  });
  await compare(graph, "messages");
});

test("prints graphs inside graphs, Sends and long lists, whose records are packed and patched", async () => {
  const inner = new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }) => ({
      messages: [
        new AIMessage({
          id: `a${messages.length}`,
          content: `answer ${messages.length} `.repeat(20),
        }),
      ],
    }))
    .addEdge(START, "answer")
    .compile();
  const state = Annotation.Root({
    ...MessagesAnnotation.spec,
    document: Annotation(),
    notes: count.spec.notes,
  });
  const graph = new StateGraph(state)
    .addNode("inside", inner)
    .addNode("edit", ({ document, messages }) => ({
      document: document.replace(/word \d+/, `word ${messages.length}`),
      notes: [messages.at(-1).content],
    }))
    .addNode("each", ({ messages, part }) => ({ notes: [`${part}: ${messages.length}`] }))
    .addEdge(START, "inside")
    .addEdge("inside", "edit")
    .addConditionalEdges("edit", ({ messages }) =>
      [0, 1, 2].map((part) => new Send("each", { messages, part })),
    )
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: "inside" } };
  const document = Array.from({ length: 300 }, (_, at) => `sentence ${at * at}`).join(" ");
  for (let turn = 0; turn < 20; turn++)
    await graph.invoke(
      {
        messages: [new HumanMessage({ id: `h${turn}`, content: `question ${turn} `.repeat(20) })],
        ...(turn === 0 ? { document: `word 0 ${document}` } : {}),
      },
      config,
    );
  const headers = headersOf("inside");
  for (const format of [1, 2, 4])
    assert.ok(
      headers.some((header) => header.format === format),
      `the thread has records of format ${format}`,
    );
  assert.ok(
    headers.some(({ kind }) => kind === 7),
    "the thread has list snapshots",
  );
  const all = readerPrints("inside");
  const spaces = [...new Set(all.map(({ ns }) => ns))];
  assert.equal(spaces.length, 21);
  for (const ns of ["", ...spaces.slice(0, 3)]) await compare(graph, "inside", ns, all);
});

test("prints an entrypoint's conversation, whose patches take from several values", async () => {
  const text = (seed) =>
    Array.from({ length: 70 }, (_, at) =>
      ((at * 7919 + seed * 104_729) % 1_000_003).toString(36),
    ).join(" ");
  const answer = task("answer", async (messages) => ({
    role: "ai",
    content: text(messages.length),
  }));
  const talk = entrypoint({ name: "talk", checkpointer: saver }, async (said) => {
    const messages = [...(getPreviousState() ?? []), { role: "user", content: said }];
    return [...messages, await answer(messages)];
  });
  const config = { configurable: { thread_id: "functional" } };
  const turns = [];
  for (let turn = 0; turn < 10; turn++) turns.unshift(await talk.invoke(text(-1 - turn), config));
  assert.ok(
    headersOf("functional").some(({ format }) => format === 3),
    "the thread has records of format 3",
  );
  assert.deepEqual(
    readerPrints("functional")
      .filter(({ source }) => source === "loop")
      .map(({ values }) => values.__previous__),
    turns,
  );
});

test("prints a thread that waits for an answer, and what it was before it was pruned", async () => {
  const graph = new StateGraph(count)
    .addNode("ask", ({ n }) => ({ notes: [interrupt({ really: n })] }))
    .addNode("other", () => ({ notes: ["other"] }))
    .addEdge(START, "ask")
    .addEdge(START, "other")
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: "asked" } };
  await graph.invoke({ n: 1 }, config);
  const [newest] = await compare(graph, "asked");
  assert.deepEqual(
    newest.writes.filter(({ channel }) => channel === "__interrupt__").map(({ value }) => value),
    [{ really: 1 }],
  );
  await graph.invoke(new Command({ resume: "yes" }), config);
  for (let n = 2; n < 5; n++) {
    await graph.invoke({ n }, config);
    await graph.invoke(new Command({ resume: `yes ${n}` }), config);
  }
  await compare(graph, "asked");
  await pruneThread(saver, "asked", { last: 2 });
  const kept = await compare(graph, "asked");
  assert.ok(kept.length < 10);
});

test("refuses a thread with a changed byte, by the number of its record", () => {
  const folder = folderOf("messages");
  const name = readdirSync(folder).find((name) => /^[cs]-/.test(name));
  const bytes = readFileSync(join(folder, name));
  bytes[bytes.length - 20] ^= 1;
  writeFileSync(join(folder, name), bytes);
  assert.throws(() => readerPrints("messages"), /damaged record \d+/);
});
