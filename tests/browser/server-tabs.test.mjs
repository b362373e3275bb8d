// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: two tabs of Chromium, each with a server of its own over the same
// IndexedDB, are one server: one tab at a time runs a thread, and the other follows it.
import { after, afterEach, before, test } from "node:test";
import assert from "node:assert/strict";
import { WAIT_MS, launchChromium } from "./chromium.mjs";
import { startTabs } from "./tabs.mjs";

let server, browser, context;

before(async () => {
  server = await startTabs("server-tabs-page.mjs");
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  server?.close();
});

afterEach(() => context?.close());

let count = 0;
/** Opens tabs with servers of one name, in a browser of their own. */
async function openTabs(...names) {
  context = await browser.newContext();
  const prefix = `app${++count}`;
  return Promise.all(names.map((name) => openTab(name, prefix)));
}

async function openTab(name, prefix = `app${count}`) {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(server.origin);
  await page.waitForFunction(() => globalThis.tab !== undefined);
  await call(page, "serve", name, prefix);
  return page;
}

const call = (page, name, ...words) =>
  page.evaluate(([what, args]) => globalThis.tab[what](...args), [name, words]);
const working = (page) => page.waitForFunction(() => globalThis.tab.isWorking());
const isDone = (page, ends) =>
  page.waitForFunction(
    (most) => globalThis.heard.filter(({ data }) => data?.status === "run_done").length >= most,
    ends,
  );
const begin = async (page, ...words) => {
  const { value, ...refused } = await call(page, "start", "t", ...words);
  assert.deepEqual(refused, {});
  return value.run_id;
};
async function until(page, isThere) {
  const end = Date.now() + WAIT_MS;
  while (!(await isThere())) {
    assert.ok(Date.now() < end, `${isThere}`);
    await page.waitForTimeout(5);
  }
}
const settled = (page, status = "idle") =>
  until(page, async () => (await call(page, "thread", "t")).status === status);
/** No run is at work or waits, as far as a tab knows. */
const over = (page) =>
  until(page, async () => (await call(page, "runs", "t")).every((one) => !/ing$/.test(one)));
const unharmed = async (...pages) => {
  for (const page of pages) assert.deepEqual(await call(page, "failures"), []);
};

test("a tab sees the other one's threads, and follows a run there from its start to its end", {
  timeout: 600_000,
}, async () => {
  const [one, two] = await openTabs("one", "two");
  await call(one, "createThread", "t");
  await call(two, "createThread", "other");
  const run = await begin(one, "slow");
  await working(one);
  assert.deepEqual((await call(two, "threads")).sort(), ["other", "t"]);
  assert.equal((await call(two, "thread", "t")).status, "busy");
  await call(two, "follow", "t");
  await two.waitForFunction(() => globalThis.heard.some(({ event }) => event === "custom"));
  const joined = call(two, "join", "t", run);
  await call(one, "open");
  await isDone(two, 1);
  const heard = await call(two, "heard");
  assert.deepEqual(
    heard.map(({ event, data }) => data.began ?? data.status ?? event),
    ["metadata", "values", "slow", "values", "values", "run_done"],
  );
  assert.deepEqual(heard.at(-2).data.log, ["slow", "slow in one", "end"]);
  assert.deepEqual(await joined, ["slow", "slow in one", "end"]);
  // The tab at work tells the same, under the same ids; so does one that is opened later.
  await call(one, "follow", "t", undefined, "-1");
  await isDone(one, 1);
  assert.deepEqual(await call(one, "heard"), heard);
  await settled(two);
  await call(two, "follow", "t");
  await begin(two, "quick");
  await isDone(two, 1);
  assert.deepEqual(await call(one, "log", "t"), [
    "slow",
    "slow in one",
    "end",
    "quick",
    "quick in two",
    "end",
  ]);
  await unharmed(one, two);
});

test("a tab that is opened while a run is at work has it, with what it said before", {
  timeout: 600_000,
}, async () => {
  const [one] = await openTabs("one");
  await call(one, "createThread", "t");
  const run = await begin(one, "slow");
  await working(one);
  const two = await openTab("two");
  assert.equal((await call(two, "thread", "t")).status, "busy");
  assert.deepEqual(await call(two, "runs", "t"), ["running"]);
  await call(two, "follow", "t", run, "-1");
  await two.waitForFunction(() => globalThis.heard.some(({ event }) => event === "custom"));
  await call(one, "open");
  await two.waitForFunction(() => globalThis.heard.at(-1) === "end");
  const heard = await call(two, "heard");
  assert.equal(heard[0].data.run_id, run);
  assert.deepEqual(heard.at(-2).data.log, ["slow", "slow in one", "end"]);
  await unharmed(one, two);
});

test("strategies over tabs: reject, enqueue, interrupt, rollback; and no state is written into a run", {
  timeout: 600_000,
}, async () => {
  const [one, two] = await openTabs("one", "two");
  await call(one, "createThread", "t");
  await begin(one, "slow");
  await working(one);
  for (const strategy of [undefined, "reject"]) {
    const { status, message } = await call(two, "start", "t", "quick", strategy);
    assert.equal(status, 422);
    assert.match(message, /already running a task/);
  }
  assert.equal((await call(two, "write", "t", "mine")).status, 409);
  await begin(two, "quick", "enqueue");
  await two.waitForTimeout(50);
  assert.deepEqual(await call(one, "runs", "t"), ["running", "pending"]);
  await call(one, "open");
  await settled(two);
  const first = ["slow", "slow in one", "end", "quick", "quick in two", "end"];
  assert.deepEqual(await call(one, "log", "t"), first);
  // The newer run interrupts the older one, whose checkpoints stay.
  await begin(one, "slow");
  await working(one);
  await begin(two, "quick", "interrupt");
  await settled(one);
  const second = [...first, "slow", "quick", "quick in two", "end"];
  assert.deepEqual(await call(one, "log", "t"), second);
  // Or takes it back.
  await call(one, "open");
  const gone = await begin(one, "slow");
  await working(one);
  await begin(two, "quick", "rollback");
  await settled(one);
  await settled(two);
  assert.deepEqual(await call(two, "log", "t"), [...second, "quick", "quick in two", "end"]);
  assert.equal((await call(two, "cancel", "t", gone)).status, 404);
  assert.deepEqual(await call(one, "runs", "t"), await call(two, "runs", "t"));
  assert.equal((await call(two, "write", "t", "mine")).status, undefined);
  assert.equal((await call(one, "log", "t")).at(-1), "mine");
  await unharmed(one, two);
});

test("a run is cancelled from another tab, and a question is answered there", {
  timeout: 600_000,
}, async () => {
  const [one, two] = await openTabs("one", "two");
  await call(one, "createThread", "t");
  const run = await begin(one, "slow");
  await working(one);
  await call(two, "cancel", "t", run);
  assert.deepEqual(await call(one, "runs", "t"), ["interrupted"]);
  await call(one, "open");
  await begin(one, "ask");
  await settled(two, "interrupted");
  const { interrupts } = await call(two, "thread", "t");
  const [[{ id }]] = Object.values(interrupts);
  const { value } = await call(two, "answer", "t", { [id]: "yes" });
  assert.equal(value.log.at(-2), "said yes");
  assert.deepEqual((await call(one, "thread", "t")).interrupts, {});
  await unharmed(one, two);
});

test("protocol v2: both tabs have the same events, with a question and its answer in the other tab", {
  timeout: 600_000,
}, async () => {
  const [one, two] = await openTabs("one", "two");
  await call(one, "createThread", "t");
  for (const page of [one, two]) await call(page, "subscribe", "t");
  const input = { log: ["ask"] };
  await call(one, "command", "t", "run.start", { assistant_id: "agent", input });
  const asked = await two.waitForFunction(
    () => globalThis.told.find(({ method }) => method === "input.requested")?.params.data,
  );
  const { interrupt_id } = await asked.jsonValue();
  await settled(two, "interrupted");
  const answer = { namespace: [], interrupt_id, response: "yes" };
  const answered = await call(two, "command", "t", "input.respond", answer);
  assert.equal(answered.type, "success");
  for (const page of [one, two])
    await page.waitForFunction(() =>
      globalThis.told.some(({ params }) => params.data?.event === "completed"),
    );
  const told = await call(one, "told");
  assert.deepEqual(told, await call(two, "told"));
  assert.deepEqual(
    told.map(({ seq }) => seq),
    told.map((_, at) => at + 1),
  );
  assert.ok(told.some(({ method }) => method === "input.answered"));
  // A tab that is opened now answers from what is stored, and goes on with the numbers.
  const three = await openTab("three");
  await call(three, "subscribe", "t");
  const quick = { assistant_id: "agent", input: { log: ["quick"] } };
  assert.equal((await call(three, "command", "t", "run.start", quick)).type, "success");
  await three.waitForFunction(() =>
    globalThis.told.some(({ params }) => params.data?.event === "completed"),
  );
  const [next] = await call(three, "told");
  assert.ok(next.seq > told.at(-1).seq);
  await one.waitForFunction((seq) => globalThis.told.some((event) => event.seq === seq), next.seq);
  await unharmed(one, two, three);
});

test("a tab that is closed in a run leaves no thread busy, and a waiting run of another tab goes on", {
  timeout: 600_000,
}, async () => {
  const [one, two] = await openTabs("one", "two");
  await call(one, "createThread", "t");
  await begin(one, "slow");
  await working(one);
  await call(two, "follow", "t");
  await two.waitForFunction(() => globalThis.heard.some(({ event }) => event === "custom"));
  await begin(two, "quick", "enqueue");
  await one.close();
  await isDone(two, 2);
  await settled(two);
  assert.deepEqual(await call(two, "runs", "t"), ["interrupted", "success"]);
  assert.equal((await call(two, "log", "t")).at(-2), "quick in two");
  await begin(two, "slow", "enqueue");
  await working(two);
  const three = await openTab("three");
  assert.equal((await call(three, "thread", "t")).status, "busy");
  await two.close();
  await settled(three, "interrupted");
  await begin(three, "quick", "enqueue");
  await settled(three);
  // A browser whose tabs are all closed finds the thread as it was left.
  await begin(three, "slow", "enqueue");
  await working(three);
  await three.close();
  const four = await openTab("four");
  assert.equal((await call(four, "thread", "t")).status, "interrupted");
  assert.equal((await call(four, "runs", "t")).at(-1), "interrupted");
  await unharmed(four);
});

test("runs that wait in a tab that is closed begin in another one, each once, or when the app is opened again", {
  timeout: 600_000,
}, async () => {
  const [one, two, three] = await openTabs("one", "two", "three");
  await call(one, "createThread", "t");
  await begin(one, "slow");
  await working(one);
  for (const word of ["first", "second"]) await begin(one, word, "enqueue");
  await until(two, async () => (await call(two, "runs", "t")).length === 3);
  await one.close();
  const tabs = [two, three];
  const isWorking = (page) => page.evaluate(() => globalThis.tab.isWorking());
  const open = async () => {
    for (const page of tabs) if (await isWorking(page)) await call(page, "open");
  };
  await until(two, async () => {
    await open();
    return (await call(two, "thread", "t")).status === "idle";
  });
  for (const page of tabs)
    assert.deepEqual(await call(page, "runs", "t"), ["interrupted", "success", "success"]);
  const log = await call(three, "log", "t");
  assert.equal(log.filter((word) => /^first in/.test(word)).length, 1);
  assert.deepEqual(log[0], "slow");
  assert.deepEqual(
    log.filter((word) => / in /.test(word)).map((word) => word.split(" ")[0]),
    ["first", "second"],
  );
  await begin(two, "slow");
  await working(two);
  await begin(three, "quick", "enqueue");
  await three.close();
  await two.close();
  const four = await openTab("four");
  await settled(four);
  assert.deepEqual((await call(four, "runs", "t")).slice(-2), ["interrupted", "success"]);
  assert.equal((await call(four, "log", "t")).at(-2), "quick in four");
  await unharmed(four);
});

test("both tabs start runs at the same moment: one at a time works, and every one is told its fate", {
  timeout: 600_000,
}, async (t) => {
  const tabs = await openTabs("one", "two");
  await call(tabs[0], "createThread", "t");
  let started = 0;
  let refused = 0;
  for (let round = 0; round < 15; round++) {
    const strategy = ["reject", "enqueue", "interrupt"][round % 3];
    const outcomes = await Promise.all(
      tabs.flatMap((page) => [1, 2].map(() => call(page, "start", "t", "quick", strategy))),
    );
    for (const { status } of outcomes) {
      if (status === undefined) started++;
      else assert.equal(status, 422);
      if (status === 422) refused++;
    }
    for (const page of tabs) await over(page);
    for (const page of tabs) await settled(page);
  }
  // How many are refused is up to how soon a run is over: the first of a round never is.
  assert.ok(started >= 15 && started + refused === 60, `${started} started, ${refused} refused`);
  const [one, two] = await Promise.all(tabs.map((page) => call(page, "log", "t")));
  assert.deepEqual(one, two);
  // No run was at work within another one: each word that was begun is followed by its own end.
  for (const [at, word] of one.entries())
    if (/ in /.test(word)) assert.deepEqual([one[at - 1], one[at + 1]], ["quick", "end"]);
  t.diagnostic(`${started} runs of two tabs, ${refused} refused, ${one.length} entries`);
  await unharmed(...tabs);
});

test("a platform without Web Locks is refused by name, and a name that is none", {
  timeout: 600_000,
}, async () => {
  context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined }),
  );
  await page.goto(server.origin);
  await page.waitForFunction(() => globalThis.tab !== undefined);
  const messages = await page.evaluate(() =>
    ["app", "", "a/b", "x".repeat(65)].map((name) => {
      try {
        globalThis.tab.serve("one", name);
        return "";
      } catch ({ message }) {
        return message;
      }
    }),
  );
  assert.match(messages[0], /no Web Locks/);
  for (const message of messages.slice(1)) assert.match(message, /name that tabs share|prefix/);
});
