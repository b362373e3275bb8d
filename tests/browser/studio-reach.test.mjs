// SPDX-License-Identifier: MIT
// <weft-studio> in Chromium, where the server is out of reach for a while or tells late.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { StudioBrowser } from "./studio-browser.mjs";

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
    const line = { waits: () => undefined };
    const fetch = async (input, init) => {
      const path = new URL(input).pathname;
      if (!path.endsWith("/stream")) {
        const response = await server.fetch(input, init);
        await line.waits(init.method, path);
        return response;
      }
      await line.waits(init.method, path);
      return server.fetch(input, init);
    };
    globalThis.line = line;
    globalThis.studio.server = { fetch };
  });
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
}
const status = (page, text) => page.locator("weft-studio .status", { hasText: text }).waitFor();

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
    await status(page, "ready");
    assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
  });
