// SPDX-License-Identifier: MIT
// Knows: how `weftgraph studio` is started over a module of graphs, ended and opened in Chromium.
// Must not know what a test expects.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WAIT_MS } from "./chromium.mjs";

const command = fileURLToPath(new URL("../../js/cli/main.js", import.meta.url));

export class StudioCommand {
  #folder = mkdtempSync(join(tmpdir(), "weft-studio-"));
  #child;

  /**
   * Serves until the end of the test.
   * @param {import("node:test").TestContext} t
   * @param {string} source of a module; it imports what it needs from the names of `imports`
   * @param {string[]} [words] of the command
   */
  static async start(t, source, words = []) {
    const studio = new StudioCommand();
    t.after(async () => {
      await studio.end();
      rmSync(studio.#folder, { recursive: true });
    });
    const resolved = source.replaceAll(
      /from "(weftgraph[^"]*)"/g,
      (_, name) => `from ${JSON.stringify(import.meta.resolve(name))}`,
    );
    writeFileSync(join(studio.#folder, "graph.mjs"), resolved);
    await studio.begin(["--port", "0", ...words]);
    return studio;
  }

  /** @param {string[]} words */
  async begin(words) {
    this.#child = spawn(process.execPath, [command, "studio", "./graph.mjs", ...words], {
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let told = "";
    while (!/http:\S+\n/.test(told))
      told += await Promise.race([
        once(this.#child.stdout, "data").then(([piece]) => piece),
        once(this.#child, "exit").then(() => Promise.reject(new Error(`It ended: ${told}`))),
      ]);
    [, this.address] = /(http:\S+)\n/.exec(told);
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
