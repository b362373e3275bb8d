// SPDX-License-Identifier: MIT
// Runs in the page of `weftgraph studio`: saves the open thread as a recording, and shows one in
// the place of the studio until it is closed.
import { MAX_BYTES, RecordingError, openRecording, takeRecording } from "./recording.js";

/** @typedef {import("./recording.js").Ask} Ask */
/** @typedef {import("weftgraph/studio").WeftStudio} WeftStudio */

/** @param {string} id @returns {HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {WeftStudio} studio
 * @param {Ask} ask its server
 * @returns {{ close: () => void }} shows the studio again
 */
export function offerRecordings(studio, ask) {
  const save = /** @type {HTMLButtonElement} */ (part("save"));
  /** @type {WeftStudio | undefined} */
  let player;

  const close = () => {
    if (player === undefined) return;
    part("recording").hidden = true;
    player.replaceWith(studio);
    player = undefined;
    // It has its place when the studio is drawn again.
    requestAnimationFrame(() => part("open").focus());
  };
  const attempt = async (/** @type {() => Promise<void>} */ work) => {
    part("problem").hidden = true;
    try {
      await work();
    } catch (error) {
      part("problem").hidden = false;
      const { name, message } = /** @type {Error} */ (error);
      part("problem").textContent =
        name === "RecordingError" ? message : `The thread could not be read: ${message}`;
    }
  };
  const show = async (/** @type {File} */ file) => {
    if (file.size > MAX_BYTES)
      throw new RecordingError(
        `A recording has ${MAX_BYTES / 1024 / 1024} MB at most: this file is longer.`,
      );
    const { graph, thread, at, server } = openRecording(await file.text());
    player = document.createElement("weft-studio");
    player.setAttribute("readonly", "");
    player.setAttribute("graph", graph);
    player.setAttribute("thread", thread);
    player.server = server;
    part("taken").textContent =
      `A recording of ${at.slice(0, 16).replace("T", " ")}: nothing runs.`;
    part("recording").hidden = false;
    studio.replaceWith(player);
    part("close").focus();
  };

  studio.addEventListener("weft-open", (event) => {
    save.disabled = /** @type {CustomEvent<{ thread: string }>} */ (event).detail.thread === "";
  });
  save.addEventListener("click", () =>
    attempt(async () => {
      const { graph, thread } = studio;
      saveAs(`weft-${thread.slice(0, 8)}.json`, await takeRecording(ask, { graph, thread }));
    }),
  );
  part("open").addEventListener("click", () => {
    const input = document.createElement("input");
    input.type = "file";
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file !== undefined) attempt(() => show(file));
    });
    input.click();
  });
  part("close").addEventListener("click", close);
  return { close };
}

/** @param {string} name @param {string} text */
function saveAs(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  // Some browsers read the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
