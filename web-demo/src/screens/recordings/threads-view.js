// SPDX-License-Identifier: MIT
// Saves all threads as one file, and takes such a file.
import { html, nothing } from "lit-html";
import { saveAs } from "../panel.js";
import { bytesOf, fileButton } from "./open-file.js";

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * @param {EventTarget & { ask(name: string, value?: unknown): Promise<any> }} engine
 * @param {(work: () => Promise<unknown>) => Promise<void>} attempt shows why it failed
 * @param {(did: string) => void} tell
 * @param {string | undefined} did what was done last
 * @param {() => string[]} keys of model services, which no file may hold
 */
export function threadsView(engine, attempt, tell, did, keys) {
  const exportAll = () =>
    attempt(async () => {
      const { file, threads, damaged } = await engine.ask("export threads", keys());
      const day = new Date().toISOString().slice(0, 10);
      saveAs(`weft-threads-${day}.weft`, file, "application/octet-stream");
      const left = damaged === 0 ? "" : ` ${damaged} cannot be read and are left out.`;
      tell(`${threads} ${threads === 1 ? "thread is" : "threads are"} saved.${left}`);
    });
  const importAll = (/** @type {File} */ chosen) =>
    attempt(async () => {
      const { imported, present } = await engine.ask(
        "import threads",
        await bytesOf(chosen, MAX_BYTES),
      );
      // Their questions wait, too.
      engine.dispatchEvent(new Event("threads"));
      tell(`${imported} new, ${present} already here and left as they are.`);
    });
  return html`<h2 id="threads">All threads</h2>
    <p class="hint">One file with every thread of this browser: state, history, questions that wait. An import changes no thread that is here.</p>
    <div class="actions"><button data-do="export" @click=${exportAll}>Save all threads</button>${fileButton("Import threads", "import", importAll)}</div>
    ${did === undefined ? nothing : html`<p class="hint" data-did>${did}</p>`}`;
}
