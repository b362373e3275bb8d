// SPDX-License-Identifier: MIT
// The screen Recordings: runs of this tab as files, kept recordings, a file from elsewhere, and the
// replay of one of them.
import { html, nothing, render } from "lit-html";
import { hasKey } from "../../models/failures.js";
import { SAMPLES } from "../../samples/index.js";
import { plain } from "../../studio/text.js";
import { keepFocus } from "../keep-focus.js";
import { openPanel, saveAs } from "../panel.js";
import { keep, listKept, readKept, removeKept } from "./kept.js";
import { bytesOf, fileButton } from "./open-file.js";
import { play } from "./player.js";
import { Replay } from "./replay-view.js";
import { MAX_BYTES, RecordingError, readFile, textOf, writeFile } from "./recording-file.js";
import { styleText } from "./style.js";
import { threadsView } from "./threads-view.js";

/** @typedef {import("./recording-file.js").RecordingFile} RecordingFile */
/**
 * @typedef {{ id: string, graph: string, thread: string, at: string, about: string }} RecordedRun
 */
/**
 * @typedef {{ engine: EventTarget & { ask(name: string, value?: unknown): Promise<any> },
 *   settings?: { readonly secrets: string[] } }} Context
 */

/** @param {string} graph @returns {string} */
const titleOf = (graph) => SAMPLES.find((sample) => sample.graph === graph)?.title ?? graph;

/** @param {string} at */
const timeOf = (at) =>
  new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/**
 * Shows the screen.
 * @param {HTMLElement} main
 * @param {Context} context
 * @returns {{ close(): void }}
 */
export function open(main, { engine, settings }) {
  const { root, close } = openPanel(main, styleText);
  const life = new AbortController();
  /**
   * `kept`: undefined where the browser refuses storage. `isOver`: a file is held over the page.
   * `opening`: the title of what will be played.
   * @type {{ runs: RecordedRun[], kept: import("./kept.js").Kept[] | undefined, isOver: boolean,
   *   opening?: string, problem?: string, did?: string, replay?: Replay }}
   */
  const view = { runs: [], kept: [], isOver: false };
  const show = (/** @type {Partial<typeof view>} */ change = {}) => {
    Object.assign(view, change);
    if (!life.signal.aborted) keepFocus(root, () => render(page(), root));
  };

  /** Does what a person asked for, and shows why it failed. @param {() => Promise<unknown>} work */
  const attempt = async (work) => {
    show({ problem: undefined, did: undefined });
    try {
      await work();
    } catch (error) {
      if (!life.signal.aborted)
        show({ problem: String(/** @type {Error} */ (error)?.message ?? error) });
    }
  };

  const refresh = async () => {
    const [kept, runs] = await Promise.all([
      listKept().catch(() => undefined),
      engine.ask("recorded runs"),
    ]);
    show({ kept, runs });
  };

  /** @param {RecordedRun} run @returns {Promise<{ file: RecordingFile, text: string }>} */
  const fileOf = async ({ id, graph, at, about }) => {
    const { text: recording } = await engine.ask("recording", id);
    if (settings?.secrets.some((key) => hasKey(recording, key)))
      throw new RecordingError("This run holds the key of a model service, so it is not saved.");
    const file = { graph, title: `${titleOf(graph)}: ${about}`, at, recording };
    return { file, text: writeFile(file) };
  };

  /** @param {{ file: RecordingFile, text: string }} made */
  const keepRun = async ({ file, text }) => {
    await keep(file, text);
    await refresh();
  };

  /** @param {{ graph: string, at: string }} about @param {string} text */
  const save = ({ graph, at }, text) =>
    saveAs(`weft-${graph}-${at.slice(0, 19).replace(/\D/g, "")}.json`, text, "application/json");

  /** @param {RecordingFile} file */
  const start = async (file) => {
    view.replay?.close();
    show({ replay: undefined, opening: file.title });
    try {
      const playing = await play(file, life.signal);
      show({ replay: new Replay(file, playing, () => show()) });
    } finally {
      show({ opening: undefined });
    }
    root.querySelector(".player")?.scrollIntoView({ block: "start" });
  };

  /** @param {File} file */
  const openFile = (file) =>
    attempt(async () => {
      view.replay?.close();
      show({ replay: undefined });
      await start(readFile(textOf(await bytesOf(file, MAX_BYTES))));
    });

  const page = () => html`<div class="screen">
    <header><h1>Recordings</h1>
      <p class="lead">A run in one file: all that its nodes, models and tools answered. Played again, the engine takes the same steps, without a model, a tool or the network, and every step is compared.</p></header>
    ${view.problem === undefined ? nothing : html`<p class="notice bad" role="alert">${plain(view.problem)}</p>`}
    <p class="unseen" role="status">${view.did ?? ""}</p>
    <div class="lists">
      <section class="card" aria-labelledby="runs"><h2 id="runs">Runs of this tab</h2>${runsView()}</section>
      <section class="card" aria-labelledby="kept"><h2 id="kept">Kept in this browser</h2>${keptView()}</section>
      <div class="stack"><section class="card" aria-labelledby="file"><h2 id="file">A file</h2>${dropView()}</section>
        <section class="card" aria-labelledby="threads">${threadsView(
          engine,
          attempt,
          (did) => show({ did }),
          view.did,
          () => settings?.secrets ?? [],
        )}</section></div>
    </div>
    ${view.opening === undefined ? nothing : html`<p class="notice" role="status">${plain(view.opening)} is played…</p>`}
    ${view.replay?.view() ?? nothing}
  </div>`;

  const runsView = () => html`${runsList()}
    <p class="hint">Pulling the engine's plug loses the recordings that are not kept, also that of a run under way.</p>`;

  const runsList = () =>
    view.runs.length === 0
      ? html`<p class="hint">Each run of the <a href="#/work">workbench</a> is recorded, unless its thread is longer than 256 kB; the newest 20 are listed here until the tab is closed.</p>`
      : html`<ul class="rows">${view.runs.map(
          (
            run,
          ) => html`<li data-run=${run.id}><b>${titleOf(run.graph)}</b><span>${plain(run.about)}</span><time>${timeOf(run.at)}</time>
          <div class="actions">
            <button class="small" data-do="play" @click=${() => attempt(async () => start((await fileOf(run)).file))}>Play</button>
            <button class="small" data-do="save" @click=${() => attempt(async () => save(run, (await fileOf(run)).text))}>Save as a file</button>
            <button class="small" data-do="keep" @click=${() => attempt(async () => keepRun(await fileOf(run)))}>Keep</button>
            <a href="#/work/${encodeURIComponent(run.graph)}/${encodeURIComponent(run.thread)}">Thread</a>
          </div></li>`,
        )}</ul>`;

  const keptView = () =>
    view.kept === undefined
      ? html`<p class="hint">This browser gives the page no storage: save a run as a file.</p>`
      : view.kept.length === 0
        ? html`<p class="hint">Nothing is kept yet. What is kept stays in this browser after the tab is closed.</p>`
        : html`<ul class="rows">${view.kept.map(
            (one) => html`<li data-kept=${one.id}><b>${plain(one.title)}</b>
          <span class="size"><time>${timeOf(one.at)}</time>, ${Math.ceil(one.size / 1024).toLocaleString("en")} kB</span>
          <div class="actions">
            <button class="small" data-do="play" @click=${() => attempt(async () => start(readFile(await readKept(one.id))))}>Play</button>
            <button class="small" data-do="save" @click=${() => attempt(async () => save(one, await readKept(one.id)))}>Save as a file</button>
            <button class="small" data-do="delete" @click=${() => attempt(async () => (await removeKept(one.id), refresh()))}>Delete</button>
          </div></li>`,
          )}</ul>`;

  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    if (!view.isOver) show({ isOver: true });
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    show({ isOver: false });
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) openFile(file);
  };
  const dropView =
    () => html`<div class="drop" data-over=${view.isOver} @dragover=${over} @dragleave=${() => show({ isOver: false })} @drop=${drop}>
    <p>Drop a recording here</p>${fileButton("Open a recording", "open", openFile)}</div>`;

  show();
  attempt(refresh);
  return {
    close: () => {
      life.abort(new Error("The screen is closed."));
      view.replay?.close();
      close();
    },
  };
}
