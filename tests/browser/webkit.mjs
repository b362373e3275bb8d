// SPDX-License-Identifier: MIT
// As much of WebDriver as the tests need: WebKitGTK's MiniBrowser on a screen that nobody sees,
// pages, and calls of functions in them. What its sessions store is gone with them: no test of this
// browser can close it and open it again.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import * as fs from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mayBeMissing } from "./absent.mjs";
import { WAIT_MS } from "./chromium.mjs";
import { actionsOf } from "./key-codes.mjs";

const DRIVER = process.env.WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver";
const XVFB = process.env.XVFB ?? "/usr/bin/Xvfb";
const LIBRARIES = "/usr/lib";
const browserOf = () =>
  readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, "webkit2gtk-4.1/MiniBrowser"))
    .find((path) => existsSync(path));
const MINI_BROWSER = process.env.WEBKIT ?? browserOf();
/** A page may open a window without bars. */
const SETTINGS = ["--javascript-can-open-windows-automatically=true"];
export const hasWebkit = existsSync(DRIVER) && MINI_BROWSER !== undefined && existsSync(XVFB);
mayBeMissing(hasWebkit, `WebKitGTK (${DRIVER}, ${MINI_BROWSER ?? "MiniBrowser"}, ${XVFB})`, {
  isInstalled: Boolean(process.env.WEFT_LONG),
});

/** A port that nobody listens on. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** A screen, and the number that it got. */
async function openScreen() {
  const screen = spawn(
    XVFB,
    ["-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const number = await new Promise((resolve, reject) => {
    screen.stdio[3].once("data", (data) => resolve(`${data}`.trim()));
    screen.once("error", reject);
    screen.once("exit", () => reject(new Error("Xvfb ended")));
  });
  return { screen, number };
}

/**
 * { openPage(url, { waitMs, hasBars }) -> { call(source, ...words), press(keys),
 * resize(width, height), reload(), close() }, close() }; `source` is the text of a function, its
 * answer is JSON. A page that hangs is an error after `waitMs`.
 */
export async function launchWebkit() {
  const home = await fs.mkdtemp(join(tmpdir(), "weft-webkit-"));
  const { screen, number } = await openScreen();
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: `:${number}`,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LIBGL_ALWAYS_SOFTWARE: "1",
    NO_AT_BRIDGE: "1",
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  };
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore", detached: true });
  const send = async (method, path, body, waitMs = WAIT_MS) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(waitMs),
    }).catch((error) => {
      if (error.name !== "TimeoutError") throw error;
      throw new Error(`WebKit did not answer ${method} ${path} within ${waitMs} ms: does it hang?`);
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const begin = async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await send("POST", "/session", {
          capabilities: {
            alwaysMatch: {
              "webkitgtk:browserOptions": {
                binary: MINI_BROWSER,
                args: ["--automation", ...SETTINGS],
              },
              timeouts: { script: WAIT_MS },
            },
          },
        });
      } catch (error) {
        if (error.cause?.code !== "ECONNREFUSED" || tries > 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
  };
  const session = `/session/${(await begin()).sessionId}`;
  // Commands go to the window that was switched to: one command at a time.
  let last = Promise.resolve();
  const inTurn = (work) => (last = last.catch(() => {}).then(work));
  const inWindow = (handle, work) =>
    inTurn(async () => (await send("POST", `${session}/window`, { handle }), work()));
  /**
   * Starts a call and asks for its end again and again, so that calls in several windows go on at
   * once.
   */
  const start = (source) =>
    `globalThis.called = undefined; (${source})(...arguments).then((answer) => (globalThis.called = { answer: JSON.stringify(answer ?? null) }), (error) => (globalThis.called = { error: [error, error?.stack].join("\\n") }));`;
  const script = (handle, waitMs, text, args = []) =>
    inWindow(handle, () => send("POST", `${session}/execute/sync`, { script: text, args }, waitMs));
  const handles = () => inTurn(() => send("GET", `${session}/window/handles`));
  /** @param {string} opener a window, which is closed */
  const openBare = async (opener) => {
    const before = await handles();
    await script(opener, WAIT_MS, `open("about:blank", "", "popup,width=800,height=600");`);
    const handle = (await handles()).find((one) => !before.includes(one));
    if (handle === undefined) throw new Error("WebKit opened no window without bars");
    await inWindow(opener, () => send("DELETE", `${session}/window`));
    return handle;
  };
  return {
    /**
     * A window of its own: a tab behind another one is hidden, and draws nothing. Without bars it
     * can be narrower than they are.
     */
    async openPage(url, { waitMs = WAIT_MS, hasBars = true } = {}) {
      const made = await inTurn(() => send("POST", `${session}/window/new`, { type: "window" }));
      const handle = hasBars ? made.handle : await openBare(made.handle);
      await inWindow(handle, () => send("POST", `${session}/url`, { url }));
      return {
        async call(source, ...words) {
          const end = performance.now() + waitMs;
          await script(handle, waitMs, start(source), words);
          while (performance.now() < end) {
            const called = await script(handle, waitMs, "return globalThis.called ?? null;");
            if (called?.error) throw new Error(called.error);
            if (called) return JSON.parse(called.answer);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          const what = `${source} ${JSON.stringify(words)}`.slice(0, 300);
          throw new Error(`A call in WebKit did not end within ${waitMs} ms: ${what}`);
        },
        /** @param {string} keys such as "Tab" and "Shift+Tab" */
        press: (keys) =>
          inWindow(handle, () => send("POST", `${session}/actions`, { actions: actionsOf(keys) })),
        /** Sets the window's size; the page in it may be smaller. */
        resize: (width, height) =>
          inWindow(handle, () => send("POST", `${session}/window/rect`, { width, height })),
        reload: () => inWindow(handle, () => send("POST", `${session}/refresh`, {})),
        close: () => inWindow(handle, () => send("DELETE", `${session}/window`)),
      };
    },
    async close() {
      await Promise.race([
        send("DELETE", session).catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, 5000)),
      ]);
      process.kill(-driver.pid, "SIGKILL");
      screen.kill();
      await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
