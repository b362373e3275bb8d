// SPDX-License-Identifier: MIT
// <weft-studio> while runs go on, in Chromium: what nodes do is shown when it happens, what a
// failed or stopped run said is marked, messages are written anew as branches.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { WAIT_MS } from "./chromium.mjs";
import { StudioBrowser, picture, say, settled, untilState } from "./studio-browser.mjs";

/** How late a state may be shown, in ms; under load of other tests it says nothing. */
const LATE = process.env.WEFT_LONG === "1" ? 100 : 5000;
let studio;

before(async () => {
  studio = await StudioBrowser.open();
});

after(async () => {
  await studio?.close();
});

async function run(page, input) {
  await page.getByLabel("Input of the graph").fill(JSON.stringify(input));
  await page.getByRole("button", { name: "Run", exact: true }).click();
}

test("each start and end of a task is the state of its node, also in a list", async (t) => {
  const page = await studio.page(t, "?graph=research");
  await page.evaluate(() => {
    const seen = [];
    const root = globalThis.studio.shadowRoot;
    new MutationObserver(() => {
      for (const { dataset } of root.querySelectorAll(".node, .box"))
        seen.push({
          at: performance.now(),
          node: dataset.node ?? dataset.inside,
          state: dataset.state,
        });
    }).observe(root, { subtree: true, attributes: true, childList: true, characterData: true });
    globalThis.seen = seen;
  });
  await run(page, { topics: [...Array(20).keys()].map((at) => `t${at}`) });
  await page.locator("weft-studio .tasks", { hasText: "20 of 20" }).waitFor();
  const listed = (node) => page.locator(`weft-studio [data-listed="${node}"]`).innerText();
  assert.equal(await listed("search"), "search: running, 20 of 20 tasks");
  assert.equal(await listed("join"), "join: idle");
  await page.evaluate("globalThis.release()");
  await untilState(page, "broken", "done");
  await settled(page);
  assert.equal(await listed("search"), "search: done, 20× tasks");
  const late = await page.evaluate(() => {
    const { told, seen } = globalThis;
    const idOf = ({ event, data }) =>
      [
        ...event
          .split("|")
          .slice(1)
          .map((part) => part.split(":")[0]),
        data.name,
      ].join(":");
    const last = new Map(told.map((one) => [idOf(one), one]));
    return told.flatMap((one) => {
      const node = idOf(one);
      const isStart = "input" in one.data;
      // Of tasks side by side, the last end is the node's.
      if (!isStart && last.get(node) !== one) return [];
      const wanted = isStart ? ["running", "done"] : ["done"];
      const shown = seen.find(
        (s) => s.at >= one.at - 5 && s.node === node && wanted.includes(s.state),
      );
      return [{ node, isStart, ms: shown === undefined ? Infinity : shown.at - one.at }];
    });
  });
  assert.ok(late.length > 25);
  const slowest = Math.max(...late.map(({ ms }) => ms));
  t.diagnostic(`${late.length} starts and ends, shown after at most ${slowest.toFixed(1)} ms`);
  assert.ok(slowest <= LATE, JSON.stringify(late.filter(({ ms }) => ms > LATE)));
});

test("Escape stops a run, and what was said until then is there; of a failed one it is marked", async (t) => {
  const page = await studio.page(t, "?graph=talker");
  await say(page, "fail");
  const lost = page.locator("weft-studio .lost");
  await lost.waitFor();
  assert.match(await lost.innerText(), /node speak\s+not kept[^]*Some words come, and then/);
  assert.equal(await lost.locator("strong").innerText(), "words");
  await page.locator("weft-studio .notice", { hasText: "The service is gone" }).waitFor();
  await picture(page, "studio-lost");
  await page.getByRole("button", { name: "New thread" }).click();
  await say(page, "go");
  await page.locator("weft-studio .live", { hasText: "and then" }).waitFor();
  await page.keyboard.press("Escape");
  await settled(page);
  await page.locator("weft-studio li.ai:not(.live, .lost)", { hasText: "and then" }).waitFor();
  assert.equal(await page.evaluate("document.activeElement.tagName"), "WEFT-STUDIO");
});

test("an edited message and a regenerated answer are branches that one can go back to", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Hello");
  await page.locator("weft-studio li.ai").waitFor();
  await settled(page);
  await page.getByRole("button", { name: "Edit, and run it as a branch" }).click();
  await page.getByLabel("The message, written anew").fill("Good morning");
  await page.keyboard.press("Enter");
  await page.locator("weft-studio li.human", { hasText: "2 of 2" }).waitFor();
  await page.locator("weft-studio li.ai").waitFor();
  await settled(page);
  const human = page.locator("weft-studio li.human");
  assert.match(await human.innerText(), /2 of 2[^]*Good morning/);
  await page.getByRole("button", { name: "The branch before" }).click();
  await page.locator("weft-studio li.human", { hasText: "Hello" }).waitFor();
  await page.getByRole("button", { name: "Regenerate, as a branch" }).last().click();
  await page.locator("weft-studio li.ai .parting", { hasText: "2 of 2" }).waitFor();
  await settled(page);
  const lanes = await page
    .locator("weft-studio .mark")
    .evaluateAll((list) => new Set(list.map(({ dataset }) => dataset.lane)).size);
  assert.equal(lanes, 3);
});

test("a draft outlives a reload; a thread is found, renamed and deleted", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Hello");
  await page.locator("weft-studio li.ai").waitFor();
  await settled(page);
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.getByLabel("Title of the thread").fill("Sums");
  await page.keyboard.press("Enter");
  await page.locator("weft-studio h2.title", { hasText: "Sums" }).waitFor();
  await page.getByLabel("Find a thread").fill("nothing like it");
  await page.getByText("None has this in its title.").waitFor();
  await page.getByLabel("Find a thread").fill("sum");
  await page.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.locator("weft-studio .welcome").waitFor();
  await page.getByLabel("Message", { exact: true }).fill("half a thought");
  await page.reload();
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page.waitForFunction(
    () =>
      globalThis.studio.shadowRoot.querySelector(".composer textarea").value === "half a thought",
  );
});

/** Runs in the page: lets its streams be cut, and none be opened again meanwhile. */
function holdLine() {
  const line = { isCut: false, opened: 0, cut: () => {} };
  const fetch = async (input, init) => {
    if (!String(input).includes("/stream?")) return globalThis.server.fetch(input, init);
    if (line.isCut) throw new TypeError("Failed to fetch");
    const leave = new AbortController();
    line.cut = () => leave.abort();
    const { body } = await globalThis.server.fetch(input, { ...init, signal: leave.signal });
    line.opened++;
    return new Response(body);
  };
  globalThis.line = line;
  globalThis.studio.server = { fetch };
}

test("a run that began and ended while no stream was open is shown when there is one again", async (t) => {
  const page = await studio.page(t, "?graph=counter");
  await page.evaluate(holdLine);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await run(page, { until: 2 });
  const slider = page.getByRole("slider", { name: "Checkpoints" });
  await page.locator('weft-studio [aria-valuetext$="the end"]').waitFor();
  await settled(page);
  const before = Number(await slider.getAttribute("aria-valuemax"));
  await page.evaluate(async () => {
    const { line, studio: shown, server } = globalThis;
    line.isCut = true;
    line.cut();
    const ran = await server.fetch(`http://weft.local/threads/${shown.thread}/runs/wait`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ assistant_id: "counter", input: { until: 5 } }),
    });
    if (!ran.ok) throw new Error(await ran.text());
    line.isCut = false;
  });
  await page.locator(`weft-studio [role="slider"]:not([aria-valuemax="${before}"])`).waitFor();
});

/** What is drawn or written for each state, beside its colour. */
const saidBy = (page, selector, attribute) =>
  page.locator(`weft-studio ${selector}`).evaluateAll((found, name) => {
    const formOf = (element) =>
      [element, ...element.querySelectorAll(".badge *, del, ins, .state")]
        .map((part) => part.getAttribute("d") ?? part.localName)
        .concat(element.querySelector(".state")?.textContent.trim() ?? "")
        .join("|");
    return found.map((element) => [element.getAttribute(name), formOf(element)]);
  }, attribute);

/** No two states have one form. @param {[state: string, form: string][]} pairs */
function assertTold(pairs, states) {
  const stateOf = new Map();
  for (const [state, form] of pairs) {
    assert.equal(stateOf.get(form) ?? state, state, form);
    stateOf.set(form, state);
  }
  assert.deepEqual([...new Set(stateOf.values())].sort(), states);
}

test("states of nodes, marks, tasks and changes differ by a form or a word, not by colour alone", async (t) => {
  const told = { nodes: [], marks: [], tasks: [], changes: [] };
  const look = async (page) => {
    told.nodes.push(...(await saidBy(page, ".node", "data-state")));
    told.marks.push(...(await saidBy(page, ".mark", "data-kind")));
    told.tasks.push(...(await saidBy(page, "li[data-task]", "data-task")));
    told.changes.push(...(await saidBy(page, "li[data-change]", "data-change")));
  };
  const failing = await studio.page(t, "?graph=research");
  await failing.locator("weft-studio .node").first().waitFor();
  await look(failing);
  await run(failing, { topics: ["one", "fail"] });
  await untilState(failing, "search", "running");
  await look(failing);
  await failing.evaluate("globalThis.release()");
  await untilState(failing, "broken", "failed");
  await settled(failing);
  await look(failing);
  for (const [node, state] of [
    ["broken", "failed"],
    ["plan", "done"],
  ]) {
    await failing.locator(`weft-studio .node[data-node="${node}"]`).click();
    await failing.locator(`weft-studio li[data-task="${state}"]`).first().waitFor();
    await look(failing);
  }
  const asking = await studio.page(t, "?graph=agent");
  await say(asking, "Hello");
  await asking.locator('weft-studio .mark[data-kind="done"]').waitFor();
  await settled(asking);
  await say(asking, "Please order 3 teapots");
  await untilState(asking, "tools", "waiting");
  await settled(asking);
  await asking.locator("weft-studio li[data-change]").first().waitFor();
  await look(asking);
  await asking.locator('weft-studio .node[data-node="tools"]').click();
  await asking.locator("weft-studio li[data-task]").first().waitFor();
  await look(asking);
  const counting = await studio.page(t, "?graph=counter");
  await run(counting, { until: 2 });
  await counting.locator('weft-studio li[data-change="changed"]').first().waitFor();
  await look(counting);
  assertTold(told.nodes, ["done", "failed", "idle", "running", "waiting"]);
  assertTold(told.marks, ["done", "failed", "open", "waiting"]);
  assertTold(told.tasks, ["done", "failed", "waiting"]);
  assertTold(told.changes, ["added", "changed"]);
});

/** The edges that are drawn as just taken, once they are these. */
async function assertTaken(page, expected) {
  const wanted = JSON.stringify(expected);
  const taken = () =>
    page
      .locator('weft-studio .edge[data-taken="true"]')
      .evaluateAll((edges) => JSON.stringify(edges.map(({ dataset }) => dataset.edge).sort()));
  for (const end = Date.now() + WAIT_MS; (await taken()) !== wanted && Date.now() < end; )
    await page.waitForTimeout(50);
  assert.equal(await taken(), wanted);
}

test("the edges just taken are marked, and those of the step before no more, also at checkpoints", async (t) => {
  const page = await studio.page(t, "?graph=research");
  await page.locator("weft-studio .edge").first().waitFor();
  await assertTaken(page, []);
  await run(page, { topics: ["one", "held"] });
  await assertTaken(page, ["plan>deep:read", "plan>search"]);
  const edge = page.locator('weft-studio [data-edge="plan>search"]');
  assert.equal(await edge.getAttribute("marker-end"), "url(#arrow-taken)");
  await page.evaluate("globalThis.release()");
  await untilState(page, "broken", "running");
  // What was taken inside of a graph is as old as what led to it.
  await assertTaken(page, ["join>broken"]);
  await page.evaluate("globalThis.releaseLast()");
  await settled(page);
  await assertTaken(page, ["broken>__end__"]);
  assert.equal(await edge.getAttribute("marker-end"), "url(#arrow)");
  const slider = page.getByRole("slider", { name: "Checkpoints" });
  await slider.press("Home");
  await assertTaken(page, []);
  for (const expected of [["__start__>plan"], ["plan>deep:read", "plan>search"]]) {
    await slider.press("ArrowRight");
    await assertTaken(page, expected);
  }
});

test("a stream that breaks and is opened again in a run repeats nothing: tasks, words, events", async (t) => {
  const page = await studio.page(t, "?graph=talker");
  await page.evaluate(holdLine);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await say(page, "go");
  const live = page.locator("weft-studio .live", { hasText: "and then" });
  await live.waitFor();
  const inspected = async (tab, selector) => {
    await page.locator(`weft-studio [data-tab="${tab}"]`).click();
    const found = page.locator(`weft-studio [aria-labelledby="tab-${tab}"] ${selector}`);
    await found.first().waitFor();
    return found.allInnerTexts();
  };
  const shown = async () => ({
    said: await live.locator(".prose").innerText(),
    listed: await page.locator('weft-studio [data-listed="speak"]').innerText(),
    tasks: await inspected("tasks", "li[data-task] .row"),
    events: await inspected("events", ".hint"),
  });
  const before = await shown();
  assert.equal(before.said, "Some words come, and then");
  assert.equal(before.listed, "speak: running");
  assert.deepEqual(before.tasks, ["speak\nrunning"]);
  const opened = await page.evaluate(() => (globalThis.line.cut(), globalThis.line.opened));
  await page.waitForFunction((count) => globalThis.line.opened > count, opened);
  await page.waitForTimeout(300);
  assert.deepEqual(await shown(), before);
  await page.keyboard.press("Escape");
  await settled(page);
});
