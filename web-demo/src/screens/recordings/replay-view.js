// SPDX-License-Identifier: MIT
// Shows a recording that was played again: what the replay says, its steps, and its thread in a
// <weft-studio> that goes through the checkpoints by itself, at a speed that a person chooses. Owns
// the element and the clock.
import { html, nothing } from "lit-html";
import { WeftStudio, defineStudio } from "../../studio/element.js";
import { plain } from "../../studio/text.js";

/** @typedef {import("./player.js").Playing} Playing */

/** The thread as the player serves it. */
const THREAD = "recording";
/** Checkpoints per second at speed 1. */
const PACE = 1;
const SPEEDS = [0.5, 1, 2, 4, 10];
const MAX_STEPS = 60;

const STATUS = Object.freeze({
  done: "ended",
  interrupted: "stopped at a question",
  failed: "failed",
  unfinished: "was cut off",
});

export class Replay {
  #file;
  #playing;
  #redraw;
  /** @type {WeftStudio | undefined} */
  #studio;
  #speed = 1;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {import("./recording-file.js").RecordingFile} file
   * @param {Playing} playing
   * @param {() => void} redraw
   */
  constructor(file, playing, redraw) {
    this.#file = file;
    this.#playing = playing;
    this.#redraw = redraw;
    if (!("status" in playing)) return;
    defineStudio();
    const studio = new WeftStudio();
    studio.setAttribute("readonly", "");
    studio.setAttribute("graph", file.graph);
    studio.setAttribute("thread", THREAD);
    studio.server = playing.server;
    this.#studio = studio;
  }

  close() {
    clearInterval(this.#clock);
    this.#playing.close();
  }

  view() {
    const { title, at } = this.#file;
    return html`<section class="card player" aria-labelledby="played">
      <h2 id="played">${plain(title)}, ${plain(at.slice(0, 16).replace("T", " "))}</h2>
      ${this.#verdict()}
    </section>`;
  }

  #verdict() {
    const told = this.#playing;
    if ("refused" in told)
      return html`<p class="notice bad" role="alert" data-verdict="refused"><strong>This recording cannot be played.</strong> ${plain(told.refused)}</p>`;
    if ("difference" in told)
      return html`<p class="notice bad" role="alert" data-verdict="diverged"><strong>The replay differs from the recording${told.entry === undefined ? "" : ` at entry ${told.entry}`}; nothing was run.</strong>
        The graph of this page is another one than then, or the file was changed: ${plain(told.difference)}.</p>`;
    const { steps, ms, messages, error, input } = told;
    return html`<p class="notice good" role="status" data-verdict="same"><strong>The same steps again.</strong> ${steps.length} tasks were replayed and compared in ${ms.toFixed(1)} ms; no node, model or tool was called.</p>
      <dl class="facts">
        <div><dt>The run</dt><dd>${STATUS[/** @type {keyof typeof STATUS} */ (told.status)] ?? plain(told.status)}</dd></div>
        <div><dt>Messages written</dt><dd>${messages}</dd></div>
        <div><dt>Input</dt><dd><code>${plain(input)}</code></dd></div>
        ${error === undefined ? nothing : html`<div><dt>Error</dt><dd>${plain(error)}</dd></div>`}
      </dl>
      <ol class="steps" aria-label="Tasks, in the order in which they began">${groupsOf(steps)
        .slice(0, MAX_STEPS)
        .map(
          ({ name, count }) => html`<li>${count > 1 ? `${count} × ` : ""}${plain(name)}</li>`,
        )}</ol>
      <div class="actions" role="group" aria-label="Playback">
        <button data-do="rewind" @click=${() => this.#goTo(-Infinity)}>To the start</button>
        <button class="primary" data-do="toggle" @click=${() => this.#toggle()}>${this.#clock === undefined ? "Play" : "Pause"}</button>
        <label>Speed <select data-do="speed" @change=${(/** @type {Event} */ event) => this.#choose(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
          ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === this.#speed}>${speed} ×</option>`)}</select></label>
        <span class="hint">The timeline, and the arrow keys on it, lead to any checkpoint.</span>
      </div>
      ${this.#studio}`;
  }

  /** @param {number} by checkpoints */
  #goTo(by) {
    this.#studio?.move(by);
  }

  #toggle() {
    if (this.#clock !== undefined) this.#stop();
    else {
      // From the end it begins again.
      if (!this.#studio?.move(1)) this.#goTo(-Infinity);
      this.#run();
    }
    this.#redraw();
  }

  /** @param {number} speed */
  #choose(speed) {
    this.#speed = speed;
    if (this.#clock !== undefined) this.#run();
  }

  #run() {
    clearInterval(this.#clock);
    this.#clock = setInterval(
      () => {
        if (this.#studio?.move(1)) return;
        this.#stop();
        this.#redraw();
      },
      1000 / (PACE * this.#speed),
    );
  }

  #stop() {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}

/** Joins equal neighbours. @param {string[]} names @returns {{ name: string, count: number }[]} */
function groupsOf(names) {
  /** @type {{ name: string, count: number }[]} */
  const groups = [];
  for (const name of names) {
    const last = groups.at(-1);
    if (last?.name === name) last.count++;
    else groups.push({ name, count: 1 });
  }
  return groups;
}
