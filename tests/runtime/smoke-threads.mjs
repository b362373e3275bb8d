// SPDX-License-Identifier: MIT
// Smoke checks of threads as things that are kept: compacted, copied, exported, imported, sealed,
// listed, deleted; and those of released formats (docs/log-format.md 8). Each over the saver of the
// runner, in its runtime.
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { resealThreads, sealSaver } from "weftgraph/savers/sealed";
import { WeftSaver } from "../../js/savers/weft-saver.js";
import golden from "../golden/format-1.json" with { type: "json" };
import files from "../golden/files-1.json" with { type: "json" };
import files2 from "../golden/files-2.json" with { type: "json" };
import patched from "../golden/patched-2.json" with { type: "json" };
import copied from "../golden/copied-4.json" with { type: "json" };
import rolled from "../golden/rolled-3.json" with { type: "json" };
import { converse, sayConversation } from "../golden/copies.mjs";
import { edit, sayAll } from "../golden/edits.mjs";
import { bytesOf, fillPatched, open } from "../golden/open.mjs";
import { sayLists, talk } from "../golden/list-snapshots.mjs";
import { collect, equal, fails, holds } from "./smoke-assert.mjs";

/**
 * A graph that asks when it is told to; `world.fails` lets it end in an error behind its answer.
 */
export function keeper(
  { Annotation, START, END, StateGraph, interrupt },
  checkpointer,
  world = {},
) {
  const State = Annotation.Root({
    n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
    note: Annotation(),
  });
  return new StateGraph(State)
    .addNode("work", ({ note }) => {
      if (note !== "ask") return { n: 1, note: `did ${note}` };
      const answer = interrupt("go on?");
      if (world.fails) throw new Error("the lamp fell");
      return { n: 1, note: `answered ${answer}` };
    })
    .addEdge(START, "work")
    .addEdge("work", END)
    .compile({ checkpointer });
}

const at = (thread_id) => ({ configurable: { thread_id } });
const questions = ({ tasks }) =>
  tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value));

async function checkRetention({ weft, saver, thread }) {
  const config = thread();
  const { thread_id: id } = config.configurable;
  const app = keeper(weft, saver);
  await app.invoke({ note: "first" }, config);
  const pinned = (await app.getState(config)).config;
  const side = await app.updateState(pinned, { note: "ask" }, weft.START);
  await app.invoke(null, side);
  const asking = (await app.getState(config)).config;
  await app.updateState(pinned, { n: 10, note: "main" }, "work");
  for (let turn = 0; turn < 6; turn++) await app.invoke({ note: `turn ${turn}` }, config);
  const before = (await collect(app.getStateHistory(config))).length;
  const keep = { last: 2, pinned: [pinned.configurable.checkpoint_id] };
  const { kept, dropped, bytesBefore, bytesAfter } = await saver.prune(id, keep);
  equal(kept + dropped, before);
  holds(
    dropped > 10 && bytesAfter < bytesBefore && (await saver.byteLength(id)) === bytesAfter,
    `${kept} kept, ${dropped} dropped, ${bytesBefore} to ${bytesAfter} bytes`,
  );
  const ids = (await collect(app.getStateHistory(config))).map(
    (one) => one.config.configurable.checkpoint_id,
  );
  const listed = (
    await collect(saver.list({ configurable: { thread_id: id, checkpoint_ns: "" } }))
  ).map((one) => one.config.configurable.checkpoint_id);
  equal([ids.length, listed], [kept, ids]);
  equal((await app.getState(pinned)).values, { n: 1, note: "did first" });
  equal(questions(await app.getState(asking)), ["go on?"]);
  equal((await app.invoke(new weft.Command({ resume: "late" }), asking)).note, "answered late");
  await app.invoke({ note: "more" }, config);
  equal((await saver.prune(id, { last: 1 })).kept, 1);
}

async function checkTransfer({ weft, saver, thread }) {
  const [config, copy] = [thread(), thread()];
  const world = { fails: true };
  const app = keeper(weft, saver, world);
  await app.invoke({ note: "ask" }, config);
  await fails(() => app.invoke(new weft.Command({ resume: "yes" }), config), {
    text: "the lamp fell",
  });
  world.fails = false;
  const file = await exportThread(saver, config.configurable.thread_id);
  await copyThread(saver, config.configurable.thread_id, copy.configurable.thread_id);
  const elsewhere = new weft.MemorySaver();
  await importThread(elsewhere, file, { threadId: "there" });
  // The answer holds where it was given, and is no permission anywhere else.
  equal((await app.invoke(null, config)).note, "answered yes");
  for (const [there, where] of [
    [app, copy],
    [keeper(weft, elsewhere), at("there")],
  ]) {
    equal(
      (await there.invoke(null, where)).__interrupt__.map(({ value }) => value),
      ["go on?"],
    );
    equal((await there.invoke(new weft.Command({ resume: "no" }), where)).note, "answered no");
  }
  await fails(() => importThread(saver, file), { code: "BAD_ARGUMENT" });
  await fails(
    () => importThread(elsewhere, file.subarray(0, file.length - 9), { threadId: "cut" }),
    { code: "CORRUPT_LOG" },
  );
}

async function checkFiles({ weft, saver, thread }) {
  for (const { file, says, end } of [...files.exported, ...files2.exported]) {
    const config = thread();
    await importThread(saver, bytesOf(file), { threadId: config.configurable.thread_id });
    const app = keeper(weft, saver);
    const { values, ...state } = await app.getState(config);
    equal([values, questions(state)], says);
    equal((await app.invoke(new weft.Command({ resume: "now" }), config)).note, end);
  }
}

const kinds = [
  ["HMAC", { name: "HMAC", hash: "SHA-256" }, ["sign", "verify"]],
  ["AES-GCM", { name: "AES-GCM", length: 256 }, ["encrypt", "decrypt"]],
];

async function checkSeals({ weft, saver, thread }) {
  const over = (options) => sealSaver(new WeftSaver(saver.store), options);
  for (const [name, algorithm, uses] of kinds) {
    const [key, other] = await Promise.all(
      [1, 2].map(() => crypto.subtle.generateKey(algorithm, false, uses)),
    );
    const config = thread();
    const { thread_id: id } = config.configurable;
    for (let turn = 0; turn < 3; turn++)
      await keeper(weft, over({ key })).invoke({ note: `secret ${turn}` }, config);
    const values = { n: 3, note: "did secret 2" };
    equal((await keeper(weft, over({ key })).getState(config)).values, values);
    equal((await over({ key }).getTuple(config)).checkpoint.channel_values.note, "did secret 2");
    const stored = (await saver.store.read(id))
      .map((bytes) => new TextDecoder().decode(bytes))
      .join("");
    equal(stored.includes("secret"), name === "HMAC");
    const refused = (options, where = config) =>
      fails(() => keeper(weft, over(options)).getState(where), { code: "UNSEALED" });
    await refused({ key: other });
    await refused({ key: other, mandatory: false });
    await refused({ keys: { "": other, b: key } });
    // A record of this thread may not stand in another one, nor one that nobody sealed in this.
    const [moved, plain] = [thread(), thread()];
    const head = await saver.store.head(id);
    const all = await saver.store.read(id);
    const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    all.reduce((to, part) => (bytes.set(part, to), to + part.length), 0);
    await saver.store.append(
      moved.configurable.thread_id,
      { ...head, firstSeq: 1 },
      bytes,
      undefined,
    );
    await refused({ key }, moved);
    await keeper(weft, saver).invoke({ note: "open" }, plain);
    await refused({ key }, plain);
    equal(
      (await keeper(weft, over({ key, mandatory: false })).getState(plain)).values.note,
      "did open",
    );
    // Compaction and transfer open seals and close them again.
    await over({ key }).prune(id, { last: 1 });
    equal((await keeper(weft, over({ key })).getState(config)).values, values);
    await refused({ key: other });
    for (const one of [config, moved, plain]) await saver.deleteThread(one.configurable.thread_id);
  }
}

async function checkSealedFiles({ weft }) {
  for (const [format, { sealed }] of [
    [1, files],
    [2, files2],
  ]) {
    for (const { key: raw, algorithm, uses, log, head, says } of sealed) {
      const { store } = new weft.MemorySaver();
      store.append("t", { ...head, firstSeq: 1 }, bytesOf(log), undefined);
      const key = await crypto.subtle.importKey("raw", bytesOf(raw), algorithm, false, uses);
      const over = (options) => sealSaver(new WeftSaver(store), { key, ...options });
      const check = async (saver) =>
        equal((await keeper(weft, saver).getState(at("t"))).values, says);
      if (format === 1) {
        await fails(() => keeper(weft, over()).getState(at("t")), {
          code: "UNSEALED",
          text: "acceptOldSeals",
        });
        await check(over({ acceptOldSeals: true }));
        equal(await resealThreads(over({ acceptOldSeals: true })), { threads: 1, resealed: 1 });
      }
      await check(over());
      equal((await keeper(weft, over()).invoke({ note: "on" }, at("t"))).note, "did on");
    }
  }
}

async function checkThreads({ weft, saver, thread }) {
  const app = keeper(weft, saver);
  const made = [thread(), thread(), thread(), thread(), thread()];
  for (const config of made) await app.invoke({ note: "x" }, config);
  const ids = made.map(({ configurable }) => configurable.thread_id);
  const pages = [];
  for (let after; ; ) {
    const page = await saver.listThreads({ limit: 2, after });
    pages.push(...page);
    if (page.length < 2) break;
    after = page[1];
  }
  equal(pages, await saver.listThreads());
  equal(new Set(pages).size, pages.length);
  holds(
    ids.every((id) => pages.includes(id)),
    "all threads are listed",
  );
  for (const id of ids) await saver.deleteThread(id);
  holds(
    (await saver.listThreads()).every((id) => !ids.includes(id)),
    "deleted threads are not",
  );
  equal((await app.getState(made[0])).values, {});
}

async function checkGolden({ saver }) {
  // Their frames are those of the thread "t".
  for (const [i, thread] of golden.entries()) {
    if (i % 6 !== 0) continue;
    await saver.deleteThread("t");
    const { says, end } = await open(thread, saver);
    equal([says, end], [thread.says, thread.end], `thread ${i}`);
  }
  await saver.deleteThread("t");
}

async function checkCopied({ saver }) {
  await saver.deleteThread("t");
  await fillPatched(saver, copied);
  equal(await sayConversation(saver), copied.says);
  const before = await saver.byteLength("t");
  equal(await converse(saver, 2), copied.end);
  holds((await saver.byteLength("t")) - before < 4000, "a turn costs what is new");
  await saver.prune("t", { last: 2 });
  equal((await sayConversation(saver))[0][0].__end__, copied.end);
  await saver.deleteThread("t");
}

async function checkListSnapshots({ saver }) {
  await saver.deleteThread("t");
  await fillPatched(saver, rolled);
  equal(await sayLists(saver), rolled.says);
  const before = await saver.byteLength("t");
  equal(await talk(saver, 2), rolled.end);
  holds((await saver.byteLength("t")) - before < 4000, "a turn costs what is new");
  await saver.prune("t", { last: 2 });
  equal((await sayLists(saver))[0][0], rolled.end);
  await saver.deleteThread("t");
}

async function checkPatched({ saver }) {
  await saver.deleteThread("t");
  await fillPatched(saver, patched);
  equal(await sayAll(saver), [patched.says, patched.says]);
  equal(await edit(saver, 3), patched.end);
  await saver.prune("t", { last: 4 });
  equal((await sayAll(saver))[1][0][0], patched.end);
  // What a checkpoint is put as, as LangGraph.js does it, is a patch too.
  const { config, checkpoint, metadata } = await saver.getTuple({
    configurable: { thread_id: "t" },
  });
  const next = {
    ...checkpoint,
    id: checkpoint.id.replace(/^./, "f"),
    channel_values: { ...checkpoint.channel_values, text: `${patched.end}.` },
    channel_versions: { ...checkpoint.channel_versions, text: 99 },
  };
  const before = await saver.byteLength("t");
  await saver.put(config, next, metadata, { text: 99 });
  equal(
    (await saver.getTuple({ configurable: { thread_id: "t" } })).checkpoint.channel_values.text,
    `${patched.end}.`,
  );
  holds((await saver.byteLength("t")) - before < 800, "an edit is put as one");
  await saver.deleteThread("t");
}

export const threadChecks = [
  ["a thread is compacted: what is pinned or waits stays", checkRetention],
  ["a thread is exported, imported and copied; answers are no permission there", checkTransfer],
  ["files that released versions exported", checkFiles],
  ["records are signed or encrypted; others are refused", checkSeals],
  ["records that released versions sealed", checkSealedFiles],
  ["threads are listed by pages and deleted", checkThreads],
  ["threads of released formats are opened and go on", checkGolden],
  ["a thread with list snapshots says what it said, goes on, and is compacted", checkListSnapshots],
  [
    "a thread with patches that take from other values says what it said, goes on, and is compacted",
    checkCopied,
  ],
  ["a thread whose values are patches says what it said, goes on, and is compacted", checkPatched],
];
