// SPDX-License-Identifier: MIT
// Recordings from anywhere in the demo, in Chromium: harmful texts in all that a recorded run holds
// are text when it is played, and what is no recording inside of a file is refused in words.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AIMessage, MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { record } from "weftgraph/record";
import { makeOrders } from "../../web-demo/src/samples/orders.js";
import { writeFile as writeRecording } from "../../web-demo/src/screens/recordings/recording-file.js";
import { DemoBrowser } from "./demo-browser.mjs";
import { lookAt } from "./hostile-look.mjs";
import { PAYLOADS } from "./studio-payloads.mjs";

/** Characters of a text: a recording holds it some thirty times. */
const LONG = 2000;
/** Characters of a recording's title. */
const MOST_TITLE = 200;
/** Characters of a thread's id. */
const MOST_THREAD = 200;
const TEXTS = PAYLOADS.map((payload) => payload.toWellFormed().slice(0, LONG));
/** One of each kind, where each takes long; under WEFT_LONG all. */
const KINDS =
  process.env.WEFT_LONG === "1"
    ? [...TEXTS.keys()]
    : [0, 1, 12, 19, 23, 24, 25, 26, 28, 29, 31, 33];

const browser = DemoBrowser.forTests();

/** The recording of a run in which everybody says the text, and which ends with one of `ENDS`. */
async function recordRun(text, end) {
  const turns = [
    () =>
      new AIMessage({
        content: text,
        name: text,
        tool_calls: [{ name: text, args: { [text]: text }, id: text }],
      }),
    ...ENDS[end](text),
  ];
  const llm = { bindTools: () => llm, invoke: async () => turns.shift()() };
  return recordOf(makeOrders(llm), text);
}

const answer = (text) => () => new AIMessage({ content: `${text}\n\n    ${text}` });
const ENDS = {
  done: (text) => [answer(text)],
  waiting: (text) => [
    () =>
      new AIMessage({
        content: text,
        tool_calls: [
          { name: "place_order", args: { item: text, quantity: 2 }, id: `${text} order` },
          { name: text, args: { [text]: text }, id: `${text} other` },
        ],
      }),
  ],
  failed: (text) => [
    () => {
      throw Object.assign(new Error(text), { name: text });
    },
  ],
};

async function recordOf(graph, text) {
  const recording = record();
  const input = { messages: [{ role: "user", content: text, name: text }] };
  await graph
    .invoke(input, {
      configurable: { thread_id: text.slice(0, MOST_THREAD) },
      checkpointer: new MemorySaver(),
      record: recording,
      metadata: { [text]: text, text },
      tags: [text],
      runName: text,
    })
    .catch(() => {});
  return recording.text();
}

const fileOf = (recording, text = "a title") => {
  const title = text.slice(0, MOST_TITLE);
  return writeRecording({ graph: "orders", title, at: title, recording });
};

async function openScreen() {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${browser.server.url}#/recordings`);
  await page.locator(".drop").waitFor();
  return page;
}

/** Drops a file as a person does; what was shown of the one before is gone then. */
async function dropFile(page, text) {
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "recording.json"));
    return data;
  }, text);
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
}

const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

async function assertText(page, about) {
  await drawn(page);
  const { wrong } = await lookAt(page.locator("#main"));
  assert.deepEqual(wrong, [], about);
}

/** Opens all that can be opened, at the first checkpoints and at the last one. */
async function lookEverywhere(page, about) {
  const studio = page.locator("weft-studio");
  const closed = studio.locator("details:not([open]) > summary");
  const slider = studio.getByRole("slider", { name: "Checkpoints" });
  for (const key of ["End", "Home", "ArrowRight"]) {
    await slider.press(key);
    for (const tab of ["state", "tasks", "events"]) {
      await studio.locator(`[data-tab="${tab}"]`).click();
      await closed.evaluateAll((list) => list.slice(0, 20).forEach((summary) => summary.click()));
      await assertText(page, `${about}, ${key}, ${tab}`);
    }
  }
}

for (const [end, said] of [
  ["done", "ended"],
  ["waiting", "stopped at a question"],
  ["failed", "failed"],
])
  test(`a dropped recording of a run that ${said} shows its texts as text`, async () => {
    const page = await openScreen();
    for (const at of KINDS) {
      const name = JSON.stringify(TEXTS[at].slice(0, 60));
      await dropFile(page, fileOf(await recordRun(TEXTS[at], end), TEXTS[at]));
      await page.locator('[data-verdict="same"]').waitFor();
      assert.match(await page.locator(".facts").innerText(), new RegExp(said), name);
      await page.locator(`weft-studio .mark[data-kind="${end}"]`).waitFor();
      await page.locator("weft-studio .talk li.ai").first().waitFor();
      await lookEverywhere(page, name);
    }
    await page.close();
    assert.deepEqual(browser.faults, []);
  });

test("names of nodes in a recording of another graph are text", async () => {
  const page = await openScreen();
  let shown = 0;
  for (const at of KINDS) {
    // Names may not have these, and are short.
    const name = TEXTS[at].replace(/[|:\0]/g, "").slice(0, 200);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode(name, () => ({}))
      .addEdge(START, name)
      .compile();
    await dropFile(page, fileOf(await recordOf(graph, TEXTS[at])));
    const verdict = page.locator('[data-verdict="diverged"]');
    await verdict.waitFor();
    if (/of the nodes/.test(await verdict.innerText())) shown++;
    await assertText(page, JSON.stringify(name.slice(0, 60)));
  }
  assert.ok(shown > KINDS.length / 2, `${shown} names were shown`);
  await page.close();
});

/** What a file may hold in the place of a recording, its sums being right. */
async function malformed() {
  const whole = await recordRun("tea", "waiting");
  const { entries } = JSON.parse(whole);
  const with_ = (change) => JSON.stringify({ ...JSON.parse(whole), ...change });
  const changed = (at, entry) => with_({ entries: entries.with(at, entry) });
  const at = entries.findIndex(([name]) => name === "weft_feed");
  return {
    "no text": "",
    null: "null",
    "a list": "[]",
    "brackets without end": "[".repeat(200_000),
    "half of it": whole.slice(0, whole.length / 2),
    "another format": with_({ format: 2 }),
    "entries that are none": with_({ entries: "entries" }),
    "no entries": with_({ entries: [] }),
    "an entry that is null": changed(at, null),
    "a name of an object": changed(at, ["__proto__", [1]]),
    "a function that is not there": changed(at, ["weft_nothing", [1, 2, 3], 1]),
    "an input of four gigabytes": changed(at, ["weft_input", [0xffffffff], 1, "AAAA"]),
    "an input that is no base64": changed(at, ["weft_input", [4], 1, "<img src=x>"]),
    "a harmful name": changed(at, [TEXTS[1], [TEXTS[1]], TEXTS[1]]),
    "numbers that are none": changed(at, ["weft_feed", [-1, 1e308], ["x"]]),
    "the same entries again": with_({ entries: [...entries, ...entries] }),
    "entries in another order": with_({ entries: entries.toReversed() }),
    "an entry a hundred thousand times": with_({ entries: Array(100_000).fill(entries[at]) }),
  };
}

test("what is no recording inside of a file is refused in words, soon, and the next one is played", async () => {
  const page = await openScreen();
  const whole = fileOf(await recordRun("tea", "waiting"));
  for (const [name, recording] of Object.entries(await malformed())) {
    await dropFile(page, fileOf(recording));
    const refused = page.locator("[role=alert]").filter({ hasText: /\S/ });
    await refused.waitFor();
    assert.doesNotMatch(await refused.innerText(), /Failed to execute|TypeError/, name);
    await assertText(page, name);
    assert.equal(await page.locator('[data-verdict="same"], weft-studio').count(), 0, name);
    await dropFile(page, whole);
    await page.locator('[data-verdict="same"]').waitFor();
    assert.equal(await page.locator("[role=alert]").count(), 0, name);
  }
  await page.close();
  assert.deepEqual(browser.faults, []);
});
