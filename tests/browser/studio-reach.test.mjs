// SPDX-License-Identifier: MIT
// <weft-studio> in Chromium, where the server is out of reach for a while, tells late, or is asked
// by others, too.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { StudioBrowser, picture, say, settled, untilState } from "./studio-browser.mjs";

let studio;

before(async () => {
  studio = await StudioBrowser.open();
});

after(async () => {
  await studio?.close();
});

/** Gives the page a server whose answers a test holds back, by what is asked. */
async function withLine(page) {
  await page.evaluate(() => {
    const { server } = globalThis;
    const line = { state: "open", waits: () => undefined, cuts: new Set() };
    const fetch = async (input, init) => {
      if (line.state === "down") throw new TypeError("Failed to fetch");
      if (line.state === "refused")
        return Response.json({ detail: "Say who you are." }, { status: 401 });
      const path = new URL(input).pathname;
      if (!path.endsWith("/stream")) {
        const response = await server.fetch(input, init);
        await line.waits(init.method, path);
        return response;
      }
      await line.waits(init.method, path);
      const leave = new AbortController();
      init.signal.addEventListener("abort", () => leave.abort());
      line.cuts.add(leave);
      return new Response((await server.fetch(input, { ...init, signal: leave.signal })).body);
    };
    line.become = (state) => {
      line.state = state;
      if (state !== "open") for (const cut of line.cuts) cut.abort();
    };
    globalThis.line = line;
    globalThis.studio.server = { fetch };
  });
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
}
const status = (page, text) => page.locator("weft-studio .status", { hasText: text }).waitFor();
const problem = (page) => page.locator("weft-studio > .problem, weft-studio .problem[role=alert]");

async function count(page, until) {
  await page.getByLabel("Input of the graph").fill(JSON.stringify({ until }));
  await page.getByRole("button", { name: "Run", exact: true }).click();
}

for (const late of ["the stream", "the answer to its start"])
  test(`a run is over that ended before ${late} came`, async (t) => {
    const page = await studio.page(t, "?graph=counter");
    await withLine(page);
    await page.evaluate((isStream) => {
      /** The only thread of the server is at rest. */
      const untilOver = async () => {
        for (;;) {
          const init = { method: "POST", body: "{}" };
          const found = await globalThis.server.fetch("http://weft.local/threads/search", init);
          const [thread] = await found.json();
          if (thread?.metadata.assistant_id && thread.status === "idle") return;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      let open = () => {};
      const opened = new Promise((resolve) => {
        open = resolve;
      });
      globalThis.line.waits = async (method, path) => {
        if (path.endsWith("/stream")) {
          await untilOver();
          setTimeout(open, 100);
        } else if (path.endsWith("/runs") && method === "POST" && !isStream) await opened;
      };
    }, late === "the stream");
    await count(page, 2);
    await page.locator('weft-studio [aria-valuetext$="the end"]').waitFor();
    // The steps may be read before the start is answered: until then the run can be stopped.
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await status(page, "ready");
  });

test("a server that does not answer is said to be, nothing runs on, and all goes on when it is back", async (t) => {
  const page = await studio.page(t, "?graph=research");
  await withLine(page);
  await page.getByLabel("Input of the graph").fill('{ "topics": ["tea"] }');
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await untilState(page, "search", "running");
  await page.evaluate("globalThis.line.become('down')");
  await status(page, "not connected");
  await problem(page)
    .filter({ hasText: /does not answer[^]*again every 2 seconds/ })
    .waitFor();
  assert.equal(await page.locator('weft-studio .node[data-state="running"]').count(), 0);
  await picture(page, "studio-down");
  await page.evaluate("globalThis.line.become('open')");
  await status(page, "running, step");
  await untilState(page, "search", "running");
  assert.equal(await problem(page).count(), 0);
  await page.evaluate("globalThis.release()");
  await untilState(page, "broken", "done");
  await settled(page);
});

test("a server that is not there at first is opened when it is", async (t) => {
  const page = await studio.page(t, "?graph=counter");
  await page.evaluate(() => {
    const { server, studio: element } = globalThis;
    globalThis.isThere = false;
    element.server = {
      fetch: (input, init) =>
        globalThis.isThere ? server.fetch(input, init) : Promise.reject(new TypeError("no")),
    };
  });
  await status(page, "not connected");
  assert.equal(
    await page.getByRole("button", { name: "Run", exact: true }).getAttribute("aria-disabled"),
    "true",
  );
  await page.evaluate("globalThis.isThere = true");
  await status(page, "ready");
  await page.locator('weft-studio .node[data-node="add"]').waitFor();
  assert.equal(await problem(page).count(), 0);
});

test("a token that has changed is named, and where the new one is found", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await withLine(page);
  await say(page, "Hello");
  await page.locator("weft-studio li.ai").waitFor();
  await settled(page);
  await page.evaluate("globalThis.line.become('refused')");
  await status(page, "not connected");
  const told = problem(page).filter({ hasText: /token[^]*Open the address that the command/ });
  await told.waitFor();
  await picture(page, "studio-refused");
  assert.equal(await page.getByText("Say who you are.").count(), 0);
  await page.evaluate("globalThis.line.become('open')");
  await status(page, "ready");
  await told.waitFor({ state: "detached" });
});

test("a thread that is not open is seen to wait; nobody asks while the page is hidden", async (t) => {
  const page = await studio.page(t, "?graph=counter");
  await withLine(page);
  await count(page, 1);
  await page.locator('weft-studio [aria-valuetext$="the end"]').waitFor();
  const ask = () =>
    page.evaluate(async () => {
      const send = (path, body) =>
        globalThis.server.fetch(`http://weft.local${path}`, {
          method: "POST",
          body: JSON.stringify(body),
        });
      const made = await (await send("/threads", { metadata: { title: "Elsewhere" } })).json();
      const messages = [{ role: "user", content: "Please order 3 teapots" }];
      await send(`/threads/${made.thread_id}/runs/wait`, {
        assistant_id: "agent",
        input: { messages },
      });
      // Who waits for a run may hear of its end before the thread's record says that it asks.
      const status = async () => {
        const url = `http://weft.local/threads/${made.thread_id}`;
        return (await (await globalThis.server.fetch(url)).json()).status;
      };
      while ((await status()) !== "interrupted") await new Promise((go) => setTimeout(go, 20));
    });
  await ask();
  const waiting = page.locator('weft-studio .rail li[data-status="interrupted"]');
  await waiting.filter({ hasText: "Elsewhere" }).waitFor();
  await page.locator("weft-studio .bar .count", { hasText: "1" }).waitFor();
  const asked = (ms) =>
    page.evaluate(async (time) => {
      let number = 0;
      globalThis.line.waits = () => void number++;
      await new Promise((resolve) => setTimeout(resolve, time));
      return number;
    }, ms);
  const often = await asked(9000);
  assert.ok(often >= 1 && often <= 3, `asked ${often} times`);
  await page.evaluate(() => {
    globalThis.hidden = "hidden";
    Object.defineProperty(document, "visibilityState", { get: () => globalThis.hidden });
  });
  await asked(4500);
  assert.equal(await asked(6000), 0);
  await ask();
  await page.evaluate(() => {
    // Whoever sees the page again is told by that alone, not by the next of the rare questions.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (go, ms, ...rest) => (ms < 1000 ? setTimeout(go, ms, ...rest) : 0);
    globalThis.hidden = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.locator("weft-studio .bar .count", { hasText: "2" }).waitFor();
});
