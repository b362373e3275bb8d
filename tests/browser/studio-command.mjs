// SPDX-License-Identifier: MIT
// Knows: how `weftgraph studio` is started over a module of graphs or the address of a server,
// ended and opened in Chromium. Must not know what a test expects.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WAIT_MS } from "./chromium.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const command = join(top, "js/cli/main.js");
const RUNTIMES = {
  Node: [process.execPath],
  Deno: [join(top, "node_modules/.bin/deno"), "run", "--quiet", "--no-lock", "-A"],
};

/**
 * A folder in which the package is installed, with a module in it.
 * @param {import("node:test").TestContext} t at its end the folder goes
 * @param {string} source of graph.mjs
 */
export function installed(t, source) {
  const folder = mkdtempSync(join(tmpdir(), "weft-studio-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(top, join(folder, "node_modules/weftgraph"));
  writeFileSync(join(folder, "graph.mjs"), source);
  return folder;
}

export class StudioCommand {
  #folder;
  #runtime;
  #child;

  constructor(folder, runtime) {
    this.#folder = folder;
    this.#runtime = runtime;
  }

  /**
   * Serves until the end of the test.
   * @param {import("node:test").TestContext} t
   * @param {string} source of a module
   * @param {string[]} [words] of the command
   * @param {"Node" | "Deno"} [runtime]
   */
  static async start(t, source, words = [], runtime = "Node") {
    const studio = new StudioCommand(installed(t, source), runtime);
    t.after(() => studio.end());
    await studio.begin(["--port", "0", ...words]);
    return studio;
  }

  /**
   * @param {string[]} words
   * @param {string} [shown] a module, or the address of a server
   */
  async begin(words, shown = "./graph.mjs") {
    const [program, ...options] = RUNTIMES[this.#runtime];
    this.#child = spawn(program, [...options, command, "studio", shown, ...words], {
      cwd: this.#folder,
      env: { ...process.env, DENO_DIR: join(this.#folder, "deno"), NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let told = "";
    while (!/ {2}http:\S+\n/.test(told))
      told += await Promise.race([
        once(this.#child.stdout, "data").then(([piece]) => piece),
        once(this.#child, "exit").then(() => Promise.reject(new Error(`It ended: ${told}`))),
      ]);
    [, this.address] = / {2}(http:\S+)\n/.exec(told);
    this.port = new URL(this.address).port;
  }

  /** A thread is on the disk: a run goes on while its first checkpoint is being stored. */
  async stored() {
    const told = join(this.#folder, ".weft/witness");
    for (let tries = 0; !existsSync(told) || readdirSync(told).length === 0; tries++) {
      if (tries === 1000) throw new Error("Nothing was stored");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** At once, whatever it does. */
  async end() {
    if (this.#child === undefined) return;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "close");
  }

  /**
   * Opens the page that the command prints.
   * @param {import("node:test").TestContext} t
   * @param {import("playwright-core").Browser} browser
   * @param {object} [options]
   */
  async open(t, browser, options = {}) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
    page.setDefaultTimeout(WAIT_MS);
    t.after(() => page.close());
    await page.goto(this.address);
    await ready(page);
    return page;
  }
}

export const ready = (page) => page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
