// SPDX-License-Identifier: MIT
// As much of WebDriver BiDi as the tests need: a headless Firefox with a profile, pages, and calls
// of functions in them.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { mayBeMissing } from "./absent.mjs";
import { actionsOf } from "./key-codes.mjs";

export const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
export const hasFirefox = existsSync(FIREFOX);
mayBeMissing(hasFirefox, `Firefox (${FIREFOX})`);

async function connect(url) {
  const { WebSocket } = globalThis.WebSocket ? globalThis : await import("undici");
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.type === "success") resolve?.(message.result);
    else if (message.type === "error") reject?.(new Error(`${message.error}: ${message.message}`));
  };
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}

/**
 * { openPage(url) -> { call(source, ...words), press(keys), resize(width, height), goto(url),
 * reload(), back(), close() }, kill(), close() }; `source` is the text of a function, its answer is
 * JSON.
 */
export async function launchFirefox(profile) {
  const child = spawn(
    FIREFOX,
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
    ended.then(() => reject(new Error("Firefox ended")));
  });
  const session = await connect(`${url}/session`);
  await session.send("session.new", { capabilities: {} });
  return {
    async openPage(address) {
      const { context } = await session.send("browsingContext.create", { type: "tab" });
      await session.send("browsingContext.navigate", { context, url: address, wait: "complete" });
      return {
        async call(source, ...words) {
          const expression = `(${source})(...${JSON.stringify(words)}).then((answer) => JSON.stringify(answer ?? null))`;
          const answer = await session.send("script.evaluate", {
            expression,
            target: { context },
            awaitPromise: true,
          });
          if (answer.type !== "success") throw new Error(answer.exceptionDetails.text);
          return JSON.parse(answer.result.value);
        },
        goto: (url) => session.send("browsingContext.navigate", { context, url, wait: "complete" }),
        reload: () => session.send("browsingContext.reload", { context, wait: "complete" }),
        /** @param {string} keys such as "Tab" and "Shift+Tab" */
        press: (keys) =>
          session.send("input.performActions", { context, actions: actionsOf(keys) }),
        /** Sets the page's size, also one that no window has. */
        resize: (width, height) =>
          session.send("browsingContext.setViewport", { context, viewport: { width, height } }),
        back: () => session.send("browsingContext.traverseHistory", { context, delta: -1 }),
        close: () => session.send("browsingContext.close", { context }),
      };
    },
    /** All of its processes, at once. */
    async kill() {
      process.kill(-child.pid, "SIGKILL");
      await ended;
      session.close();
    },
    async close() {
      // It may be gone before it has answered.
      await Promise.race([session.send("browser.close"), ended]);
      session.close();
      await ended;
    },
  };
}
