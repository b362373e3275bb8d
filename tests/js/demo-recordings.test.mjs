// SPDX-License-Identifier: MIT
// Files of the demo's studio: a recording that was changed anywhere is refused with the place of
// the first difference; a file of all threads brings them into another browser, and what is no such
// file changes nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, MemorySaver } from "weftgraph";
import { record, replay } from "weftgraph/record";
import { createServer } from "weftgraph/server";
import { research } from "../../web-demo/src/samples/research.js";
import { review } from "../../web-demo/src/samples/review.js";
import {
  readFile,
  textOf,
  writeFile,
} from "../../web-demo/src/screens/recordings/recording-file.js";
import { recorded, recordedRuns, recordingOf } from "../../web-demo/src/worker/recordings.js";
import { exportAll, importAll } from "../../web-demo/src/worker/threads-file.js";

/** A recorded run of the writer. */
async function recordRun() {
  const recording = record();
  const config = { configurable: { thread_id: "1" }, checkpointer: new MemorySaver() };
  await review.invoke({ topic: "tea" }, { ...config, record: recording });
  const about = { graph: "review", title: "Writer", at: "2026-11-27T08:00:00.000Z" };
  return { ...about, recording: recording.text() };
}

test("a recording's file says the same when it is read", async () => {
  const file = await recordRun();
  assert.deepEqual(readFile(writeFile(file)), file);
  assert.equal(replay(readFile(writeFile(file)).recording).status, "interrupted");
});

test("a recording with any one character changed is refused", async () => {
  const text = writeFile(await recordRun());
  const named = /The first difference is at characters \d+ to \d+ of \d+/;
  let places = 0;
  for (let at = 0; at < text.length; at++) {
    const changed = text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
    assert.throws(
      () => readFile(changed),
      (error) => {
        if (named.test(error.message)) places++;
        return error.name === "RecordingError";
      },
      `at ${at}: ${text.slice(at - 20, at + 20)}`,
    );
  }
  assert.ok(places > text.length / 3, `${places} of ${text.length} name the place`);
});

test("the place of a change has the numbers of the entries there", async () => {
  const file = await recordRun();
  const text = writeFile(file);
  const entries = JSON.parse(file.recording).entries;
  const number = entries.findIndex(
    ([name, , value]) => name === "value" && /tea/.test(value ?? ""),
  );
  const changed = text.replace("few words about tea", "few words about pea");
  assert.notEqual(changed, text);
  assert.throws(
    () => readFile(changed),
    ({ message }) => {
      const [, from, to = from] = /in entr(?:y|ies) (\d+)(?: to (\d+))? of/.exec(message) ?? [];
      return Number(from) >= number - 8 && Number(to) <= entries.length;
    },
  );
});

test("what is no recording is refused with words", async () => {
  const whole = writeFile(await recordRun());
  const deep = "[".repeat(200_000);
  for (const text of [
    "",
    "null",
    "[]",
    "5",
    whole.slice(0, whole.length / 2),
    deep,
    `{"weft":"studio-recording","format":1,"graph":${deep}`,
    '{"weft":"studio-recording","format":2}',
    '{"weft":"studio-recording","format":1,"graph":"review"}',
    '{"__proto__":{"weft":"studio-recording","format":1}}',
    whole.replace('"graph":"review"', '"graph":{"toString":1}'),
    whole.replace('"sums":[', '"sums":{"length":3,"0":['),
  ])
    assert.throws(() => readFile(text), { name: "RecordingError" }, text.slice(0, 60));
  assert.throws(() => textOf(new Uint8Array([0xff, 0xfe, 0x00])), { name: "RecordingError" });
});

test("the newest runs of a server are recorded, and no more than twenty", async () => {
  const server = createServer({ graphs: { research: recorded(research, "research") } });
  const run = async (question) => {
    const body = JSON.stringify({ assistant_id: "research", input: { question } });
    await (await server.fetch("http://weft.local/runs/wait", { method: "POST", body })).text();
  };
  await run("tea");
  const [{ id, graph }] = recordedRuns();
  assert.equal(graph, "research");
  const { status, states, steps } = replay(recordingOf(id).text, { graph: research });
  assert.deepEqual([status, states.at(-1).answer], ["done", "20 sources were read"]);
  assert.equal(steps.filter(({ node }) => node === "search").length, 20);
  await Promise.all(Array.from({ length: 20 }, (_, at) => run(`tea ${at}`)));
  assert.equal(recordedRuns().length, 20);
  assert.throws(() => recordingOf(id), TypeError);
  await server.close();
});

test("the list of runs says what was answered, in words", async () => {
  const graph = recorded(review, "review");
  const config = { configurable: { thread_id: "answered" }, checkpointer: new MemorySaver() };
  const run = async (input) => {
    for await (const _ of await graph.stream(input, { ...config, runId: crypto.randomUUID() }));
    return recordedRuns()[0].about;
  };
  assert.equal(await run({ topic: "tea" }), '{"topic":"tea"}');
  assert.equal(await run(new Command({ resume: "mention honey" })), 'Answer: "mention honey"');
  const answers = { ["0f".repeat(16)]: { type: "accept", digest: "ab" } };
  assert.equal(await run(new Command({ resume: answers })), "Answer: accept");
});

test("a run of a long thread is not recorded", async () => {
  const saver = new MemorySaver();
  const graph = recorded(review, "review");
  const run = async (thread_id, topic) => {
    const config = { configurable: { thread_id }, checkpointer: saver, runId: crypto.randomUUID() };
    for await (const _ of await graph.stream({ topic }, config));
    return recordedRuns().some(({ thread }) => thread === thread_id);
  };
  assert.ok(await run("short", "tea"));
  await review.invoke(
    { topic: "t".repeat(300_000) },
    { configurable: { thread_id: "long" }, checkpointer: saver },
  );
  assert.ok(!(await run("long", "tea")));
});

/** A server with threads of its own, as the worker has. */
function makePlace() {
  const saver = new MemorySaver();
  const server = createServer({ graphs: { review }, saver });
  const ask = async (path, body) => {
    const init = { method: "POST", body: JSON.stringify(body) };
    return (await server.fetch(`http://weft.local${path}`, init)).json();
  };
  return { saver, server, ask };
}

test("all threads in one file come into another browser, and none is overwritten", async () => {
  const [here, there] = [makePlace(), makePlace()];
  for (const [id, topic] of [
    ["a", "tea"],
    ["b", "the sea"],
  ]) {
    await here.ask("/threads", { thread_id: id, metadata: { graph_id: "review" } });
    await here.ask(`/threads/${id}/runs/wait`, { assistant_id: "review", input: { topic } });
  }
  const { file, threads, damaged } = await exportAll(here.saver, here.server);
  assert.deepEqual([threads, damaged], [2, 0]);
  assert.deepEqual(await importAll(there.saver, there.server, file), { imported: 2, present: 0 });
  assert.deepEqual(await importAll(there.saver, there.server, file), { imported: 0, present: 2 });
  const found = await there.ask("/threads/search", { status: "interrupted" });
  assert.deepEqual(found.map(({ thread_id, metadata }) => [thread_id, metadata.graph_id]).sort(), [
    ["a", "review"],
    ["b", "review"],
  ]);
  const history = async (place) =>
    (await place.ask("/threads/b/history", { limit: 100 })).map(
      ({ values, next, tasks, checkpoint }) => ({ values, next, tasks, checkpoint }),
    );
  const copied = await history(there);
  assert.equal(copied.length, 3);
  assert.deepEqual(copied, await history(here));
});

test("threads that hold the key of a model service are not saved, wherever they hold it", async () => {
  const { saver, server, ask } = makePlace();
  const key = "sk-ant-0123456789";
  await ask("/threads", { thread_id: "a", metadata: { graph_id: "review" } });
  await ask("/threads/a/runs/wait", { assistant_id: "review", input: { topic: "tea" } });
  assert.equal((await exportAll(saver, server, [key])).threads, 1);
  await ask("/threads", { thread_id: "b", metadata: { graph_id: "review" } });
  const input = { topic: `My key is ${key}.` };
  await ask("/threads/b/runs/wait", { assistant_id: "review", input });
  // What a later checkpoint no longer has, an earlier one has.
  await ask("/threads/b/state", { values: { topic: "tea" } });
  const refused = { message: /^A thread holds the key of a model service, so nothing is saved/ };
  await assert.rejects(exportAll(saver, server, ["sk-other-key", key]), refused);
  await ask("/threads", { thread_id: "c", metadata: { graph_id: "review", title: key } });
  await assert.rejects(exportAll(saver, server, [key]), { message: /^2 threads hold/ });
  assert.equal((await exportAll(saver, server, ["sk-other-key"])).threads, 3);
});

test("a file that is no file of threads, or was changed, brings none", async () => {
  const { saver, server, ask } = makePlace();
  await ask("/threads", { thread_id: "a", metadata: { graph_id: "review" } });
  await ask("/threads/a/runs/wait", { assistant_id: "review", input: { topic: "tea" } });
  const { file } = await exportAll(saver, server);
  const into = makePlace();
  const changed = (at) => file.map((byte, index) => (index === at ? byte ^ 1 : byte));
  const line = new TextEncoder();
  for (const wrong of [
    "text",
    new Uint8Array(0),
    file.subarray(0, 20),
    file.subarray(0, file.length - 9),
    changed(3),
    changed(file.length - 100),
    line.encode(`${"[".repeat(100_000)}\n`),
    line.encode('{"weft":"studio-threads","format":1,"metadata":null}\nweft-threads 1 \n'),
  ])
    await assert.rejects(() => importAll(into.saver, into.server, wrong));
  assert.deepEqual(await into.saver.listThreads(), []);
});
