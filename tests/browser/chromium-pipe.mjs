// SPDX-License-Identifier: MIT
// Chromium as a person has it, without what Playwright turns off, over DevTools' pipe: tabs that go
// to another page and back, and that tell when the page which one came back to had not been kept,
// and why.
import { spawn } from "node:child_process";

const WAIT_MS = 30_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} profile */
export function launchPipe(profile) {
  const flags = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    `--user-data-dir=${profile}`,
    "--remote-debugging-pipe",
  ];
  const child = spawn(process.env.CHROMIUM ?? "/usr/bin/chromium", [...flags, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const waiting = new Map();
  const heard = [];
  let last = 0;
  let text = "";
  child.stdio[4].on("data", (data) => {
    const messages = `${text}${data}`.split("\0");
    text = messages.pop();
    for (const { id, error, result, method, params } of messages.map((message) =>
      JSON.parse(message),
    )) {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else if (id) resolve?.(result);
      else if (method === "Page.backForwardCacheNotUsed")
        heard.push(...params.notRestoredExplanations.map(({ reason }) => reason));
    }
  });
  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      child.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
  return {
    /** Why pages were not kept. */
    reasons: heard,
    /**
     * A tab, as firefox.mjs has them, once `ready` answers there.
     * @param {string} url
     * @param {string} ready
     */
    async openTab(url, ready) {
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const call = async (source, ...words) => {
        const expression = `(${source})(...${JSON.stringify(words)}).then((answer) => JSON.stringify(answer ?? null))`;
        const { result, exceptionDetails } = await send(
          "Runtime.evaluate",
          { expression, awaitPromise: true, returnByValue: true },
          sessionId,
        );
        if (exceptionDetails)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return JSON.parse(result.value);
      };
      // Between two pages there is none to ask.
      const at = async (address) => {
        const isThere = `async () => location.href === ${JSON.stringify(address)} && document.readyState === "complete" && (await (${ready})(), true)`;
        for (const end = performance.now() + WAIT_MS; ; await pause(20)) {
          if (await call(isThere).catch(() => false)) return;
          if (performance.now() > end) throw new Error(`the tab does not come to ${address}`);
        }
      };
      const goto = async (address) => {
        await send("Page.navigate", { url: address }, sessionId);
        await at(address);
      };
      await send("Page.enable", {}, sessionId);
      await goto(url);
      return {
        call,
        goto,
        async back() {
          const { currentIndex, entries } = await send("Page.getNavigationHistory", {}, sessionId);
          await send(
            "Page.navigateToHistoryEntry",
            { entryId: entries[currentIndex - 1].id },
            sessionId,
          );
          await at(entries[currentIndex - 1].url);
        },
        /**
         * Deletes what an origin has in IndexedDB, as a person may; its connections are closed by
         * force.
         * @param {string} origin
         */
        clear: (origin) =>
          send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" }, sessionId),
        close: () => send("Target.closeTarget", { targetId }),
      };
    },
    async kill() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}
