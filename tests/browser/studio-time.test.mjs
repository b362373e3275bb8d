// SPDX-License-Identifier: MIT
// The timeline of <weft-studio>, in Chromium: each checkpoint is shown as the server has it, at the
// pace of keys; a fork leaves what there was.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { StudioBrowser, picture, say, settled, untilState } from "./studio-browser.mjs";

/** Work of a key press until the next picture, in ms: its 95th percentile. */
const P95 = process.env.WEFT_LONG === "1" ? 16 : 1000;
const STEPS = 498;
let studio;

before(async () => {
  studio = await StudioBrowser.open();
});

after(async () => {
  await studio?.close();
});

/** Asks the server in the page. */
const ask = (page, path, body) =>
  page.evaluate(
    async ([address, given]) => {
      const response = await globalThis.server.fetch(`http://weft.local${address}`, {
        method: "POST",
        body: JSON.stringify(given),
      });
      return response.json();
    },
    [path, body],
  );

test("500 checkpoints are 500 marks, and keys show each one with what its step changed", async (t) => {
  const page = await studio.page(t, "?graph=counter");
  const thread = await ask(page, "/threads", { metadata: { graph_id: "counter" } });
  await ask(page, `/threads/${thread.thread_id}/runs/wait`, {
    assistant_id: "counter",
    input: { until: STEPS },
    config: { recursion_limit: 1000 },
  });
  const history = await ask(page, `/threads/${thread.thread_id}/history`, { limit: 1000 });
  assert.equal(history.length, STEPS + 2);
  await page.evaluate((id) => (globalThis.studio.thread = id), thread.thread_id);
  await page.locator(`weft-studio .timeline[aria-valuemax="${history.length}"]`).waitFor();
  assert.equal(await page.locator("weft-studio .mark").count(), history.length);
  const { shown, times } = await page.evaluate(async () => {
    const root = globalThis.studio.shadowRoot;
    const slider = root.querySelector(".timeline");
    slider.focus();
    const frame = requestAnimationFrame;
    const times = [];
    let spent = 0;
    globalThis.requestAnimationFrame = (draw) =>
      frame((now) => {
        const from = performance.now();
        draw(now);
        // The layout is part of the work.
        slider.getBoundingClientRect();
        spent += performance.now() - from;
      });
    const press = async (key) => {
      spent = 0;
      const from = performance.now();
      slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      spent += performance.now() - from;
      await new Promise((done) => frame(() => frame(done)));
      times.push(spent);
      return {
        at: Number(slider.getAttribute("aria-valuenow")),
        count: root.querySelector(".tree").innerText.match(/count\s+(\d+)/)?.[1],
        changes: [...root.querySelectorAll(".changes li")].map(({ innerText }) => innerText),
      };
    };
    const shown = [await press("Home")];
    for (let at = 0; at < 60; at++) shown.push(await press("ArrowRight"));
    shown.push(await press("End"));
    for (let at = 0; at < 20; at++) shown.push(await press("PageUp"));
    return { shown, times };
  });
  assert.deepEqual([shown[0].at, shown[60].at, shown[61].at], [1, 61, history.length]);
  for (const { at, count, changes } of shown) {
    const { values } = history[history.length - at];
    assert.equal(Number(count ?? 0), values.count, `checkpoint ${at}`);
    const before = history[history.length - at + 1]?.values.count;
    if (before !== undefined && before !== values.count)
      assert.ok(
        changes.some((text) => text.includes(`− ${before}`) || text.includes(`${before}\n`)),
        `${at}: ${changes}`,
      );
  }
  times.sort((a, b) => a - b);
  const p95 = times[Math.floor(times.length * 0.95)];
  t.diagnostic(`${times.length} moves, p95 ${p95.toFixed(1)} ms`);
  assert.ok(p95 <= P95, `${p95} ms`);
});

test("forks at every mark leave the old branch as it was, with lanes and questions of their own", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Please order 3 teapots");
  await untilState(page, "tools", "waiting");
  await settled(page);
  const id = await page.evaluate("globalThis.studio.thread");
  const read = () => ask(page, `/threads/${id}/history`, { limit: 1000 });
  const before = await read();
  const digests = new Set(before[0].tasks[0].interrupts.map(({ value }) => value.digest));
  const slider = page.getByRole("slider", { name: "Checkpoints" });
  for (const [at, { checkpoint }] of [...before].reverse().entries()) {
    await slider.focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < at; step++) await page.keyboard.press("ArrowRight");
    const place = page.locator(`weft-studio .timeline[aria-valuenow="${at + 1}"]`);
    await place.waitFor();
    assert.equal(
      await page.locator("weft-studio .inspected > .hint code").innerText(),
      checkpoint.checkpoint_id,
    );
    const marks = await page.locator("weft-studio .mark").count();
    await page.getByRole("button", { name: "Fork here" }).click();
    await page.locator(`weft-studio .timeline[aria-valuemax="${marks + 1}"]`).waitFor();
    await page.getByRole("button", { name: "Run from here" }).click();
    await untilState(page, "tools", "waiting");
    await settled(page);
    const now = await read();
    const [{ value }] = now[0].tasks[0].interrupts;
    digests.add(value.digest);
    const old = new Set(before.map((state) => state.checkpoint.checkpoint_id));
    const kept = now.filter((state) => old.has(state.checkpoint.checkpoint_id));
    assert.equal(JSON.stringify(kept), JSON.stringify(before), `fork at ${at + 1}`);
  }
  // What was approved in one branch is approved in no other.
  assert.equal(digests.size, before.length + 1);
  await picture(page, "studio-forks");
  const lanes = () =>
    page
      .locator("weft-studio .mark")
      .evaluateAll((list) => list.map(({ dataset }) => `${dataset.checkpoint} ${dataset.lane}`));
  const drawn = await lanes();
  assert.equal(new Set(drawn.map((one) => one.split(" ")[1])).size, before.length + 1);
  await page.evaluate(() => {
    const { studio } = globalThis;
    studio.setAttribute("thread", studio.thread);
    studio.remove();
    document.body.append(studio);
  });
  await page.locator(`weft-studio .timeline[aria-valuemax="${drawn.length}"]`).waitFor();
  assert.deepEqual(await lanes(), drawn);
});

/** Runs in the page: the state that is shown, wholly unfolded, and the changes. */
async function readShown() {
  const root = globalThis.studio.shadowRoot;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const find = (rest) => root.querySelector(`.inspected .tree details${rest}`);
  for (;;) {
    await frame();
    // What an opened one holds is drawn when it tells that it was opened.
    if (find("[open]:not(:has(> .inside))")) continue;
    const closed = find(":not([open]) > summary");
    if (closed === null) break;
    closed.click();
  }
  const entry = (element) => {
    const head = element.matches("details") ? element.querySelector("summary") : element;
    const key = head.querySelector(".key").textContent;
    if (head === element) return [key, JSON.parse(head.querySelector(".value").textContent)];
    const inner = [...element.querySelector(":scope > .inside").children].map(entry);
    const isList = head.querySelector(".size").textContent.startsWith("[");
    return [key, isList ? inner.map(([, value]) => value) : Object.fromEntries(inner)];
  };
  const text = (li, tag) => li.querySelector(tag)?.textContent;
  return {
    values: Object.fromEntries([...root.querySelector(".inspected .tree").children].map(entry)),
    changes: [...root.querySelectorAll(".changes li")].map((li) => ({
      path: text(li, "code"),
      kind: li.dataset.change,
      before: text(li, "del"),
      after: text(li, "ins"),
    })),
  };
}

/** What stands at a JSON pointer; `change` gets its place to change it. */
function at(value, path, change = (place, key) => place[key]) {
  const keys = path.slice(1).split("/");
  const last = keys.pop();
  return change(
    keys.reduce((place, key) => place[key], value),
    last,
  );
}

for (const [graph, run] of [
  ["counter", (page) => page.evaluate(() => globalThis.studio.run("counter", { until: 5 }))],
  ["agent", (page) => say(page, "Please order 3 teapots")],
])
  test(`keys show each checkpoint of "${graph}" whole, and every difference from the one before`, async (t) => {
    const page = await studio.page(t, `?graph=${graph}`);
    await run(page);
    await page.locator("weft-studio .mark:is([data-kind=done], [data-kind=waiting])").waitFor();
    await settled(page);
    const id = await page.evaluate("globalThis.studio.thread");
    const history = (await ask(page, `/threads/${id}/history`, { limit: 100 })).reverse();
    assert.ok(history.length >= 3);
    await page.getByRole("slider", { name: "Checkpoints" }).press("Home");
    for (const [place, { values }] of history.entries()) {
      await page.locator(`weft-studio .timeline[aria-valuenow="${place + 1}"]`).waitFor();
      const shown = await page.evaluate(readShown);
      assert.deepEqual(shown.values, values, `checkpoint ${place + 1}`);
      if (place === 0) assert.deepEqual(shown.changes, []);
      // What is told as changed, done to the state before, makes this one; and all of it differs.
      const made = structuredClone(history[place - 1]?.values ?? values);
      for (const { path, kind, before, after } of shown.changes) {
        const isThere = (state) => at(state, path, (inside, key) => Object.hasOwn(inside, key));
        assert.deepEqual(
          [isThere(made), isThere(values)],
          [kind !== "added", kind !== "removed"],
          path,
        );
        for (const [state, text] of [
          [made, before],
          [values, after],
        ])
          if (isThere(state) && Object(at(state, path)) !== at(state, path))
            assert.equal(text, JSON.stringify(at(state, path)), path);
        assert.notDeepEqual(isThere(made) && at(made, path), isThere(values) && at(values, path));
        at(made, path, (inside, key) =>
          kind === "removed"
            ? delete inside[key]
            : Object.assign(inside, { [key]: at(values, path) }),
        );
      }
      assert.deepEqual(made, values, `what led to checkpoint ${place + 1}`);
      await page.getByRole("slider", { name: "Checkpoints" }).press("ArrowRight");
    }
  });
