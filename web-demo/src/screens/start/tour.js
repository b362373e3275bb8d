// SPDX-License-Identifier: MIT
// Leads through a run, an approval, the plug and a fork, on the real screens: it presses their
// buttons, but for the approval, which is a person's. Owns its element beside the screens.
import { html, nothing, render } from "lit-html";
import { keepFocus } from "../keep-focus.js";

/**
 * A step. `pane`: the part of the workbench that it is about. `act`: what its button says; without
 * it a person acts. `work`: what happens then; it ends when the next step can be shown. `isPlug`:
 * it needs threads that outlive their engine.
 * @typedef {{ title: string, text: string, pane?: "graph" | "talk" | "time", act?: string, isPlug?:
 *   true, work: (stage: Stage) => Promise<void> }} Step
 */

const LOOK_MS = 60;
/** So long the searches are seen at work before the plug is pulled. */
const SEEN_MS = 450;

/** @type {readonly Step[]} */
const STEPS = [
  {
    title: "Watch it work",
    text: "An agent with a tool runs in a worker of this tab. Each node lights up while it is at work.",
    act: "Run it",
    work: async (stage) => {
      await stage.run("orders");
      await stage.until(() => stage.inside('[data-do="approve"]'));
    },
  },
  {
    title: "It asks before it acts",
    text: "Nothing is ordered before you approve exactly what will run. Read the request and press Approve.",
    pane: "talk",
    work: (stage) =>
      stage.until(() => stage.inside('[data-node="tools"][data-state="done"]') && stage.isIdle()),
  },
  {
    title: "Pull its plug",
    text: "Twenty searches run side by side. In the middle of them the engine is ended, at once.",
    pane: "graph",
    act: "Run, and pull the plug",
    isPlug: true,
    work: async (stage) => {
      await stage.run("research");
      await stage.until(() => /\d+ of 20/.test(stage.inside(".graph")?.textContent ?? ""));
      await stage.pause(SEEN_MS);
      await stage.press(() => document.querySelector("button.plug"));
      await stage.until(() => document.querySelector('.bench[data-engine="gone"]'));
    },
  },
  {
    title: "The engine is gone",
    text: "What was finished is stored in this browser. A new engine reads it and goes on from there.",
    act: "Start it again",
    isPlug: true,
    work: async (stage) => {
      await stage.press(() => document.querySelector(".bench-note.bad button.primary"));
      // Its last node: the new engine's run is over, not only begun.
      await stage.until(() => stage.inside('[data-node="join"][data-state="done"]'));
      await stage.until(() => stage.isIdle());
    },
  },
  {
    title: "Turn back time",
    text: "Each mark below is a checkpoint: go back to one, and branch off from it.",
    pane: "time",
    act: "Fork from an early one",
    work: async (stage) => {
      const timeline = /** @type {Element} */ (
        await stage.until(() => stage.inside('[role="slider"]'))
      );
      timeline.scrollIntoView({ block: "nearest" });
      for (const key of ["Home", "ArrowRight"]) {
        timeline.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        await stage.pause(SEEN_MS);
      }
      await stage.press(() => stage.inside('[data-do="fork"]'));
      await stage.until(() => stage.lanes() > 1);
    },
  },
];

/** The screens as the tour sees them. */
class Stage {
  #signal;

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#signal = signal;
  }

  /** Something in the element that shows the graph. @param {string} selector */
  inside(selector) {
    return document.querySelector("weft-studio")?.shadowRoot?.querySelector(selector) ?? null;
  }

  /** Whether no run goes on. */
  isIdle() {
    return this.inside('.status[data-run="none"]')?.textContent?.trim() === "ready";
  }

  /** How many branches are drawn. */
  lanes() {
    const marks = document.querySelector("weft-studio")?.shadowRoot?.querySelectorAll(".mark");
    return new Set(Array.from(marks ?? [], (mark) => mark.getAttribute("data-lane"))).size;
  }

  /** Runs a sample's first story in a new thread. @param {string} graph */
  async run(graph) {
    location.hash = `#/work/${graph}`;
    const isShown = () => document.querySelector(`weft-studio[graph="${graph}"]`);
    await this.until(() => isShown() && this.isIdle());
    this.show("graph");
    await this.press(() => document.querySelector(".bench-stories button"));
  }

  /** Brings a part in sight where only one of them is shown. @param {Step["pane"]} pane */
  show(pane) {
    const tab = this.inside(`.panes [data-pane="${pane}"]`);
    if (!(tab instanceof HTMLElement) || !tab.checkVisibility()) return;
    tab.click();
    // Below the tour's own words, once they are drawn.
    requestAnimationFrame(() => {
      const top = document.querySelector(".tour")?.getBoundingClientRect().bottom ?? 0;
      scrollBy(0, tab.getBoundingClientRect().top - top);
    });
  }

  /** @param {() => Element | null} find a button, which may not be there yet */
  async press(find) {
    const works = () => {
      const button = find();
      return button instanceof HTMLElement && button.matches(":enabled") ? button : null;
    };
    /** @type {HTMLElement} */ (await this.until(works)).click();
  }

  /** @param {number} ms */
  async pause(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#signal.throwIfAborted();
  }

  /** @template Value @param {() => Value} look @returns {Promise<any>} what it sees at last */
  async until(look) {
    for (;;) {
      const seen = look();
      if (seen) return seen;
      await this.pause(LOOK_MS);
    }
  }
}

/** The tour that is under way. @type {AbortController | undefined} */
let under;

/** The steps that fit here. */
let steps = STEPS;

/** Starts the tour, from its beginning. @param {boolean} isKept threads outlive their engine */
export async function startTour(isKept) {
  under?.abort();
  steps = STEPS.filter(({ isPlug }) => isKept || !isPlug);
  const over = new AbortController();
  under = over;
  const bar = document.createElement("aside");
  bar.className = "tour";
  bar.ariaLabel = "Tour";
  document.getElementById("main")?.before(bar);
  over.signal.addEventListener("abort", () => bar.remove());
  const stage = new Stage(over.signal);
  const end = () => over.abort();
  try {
    for (const [at, step] of steps.entries()) {
      stage.show(step.pane);
      if (step.act !== undefined) await pressed(bar, at, step, end);
      keepFocus(bar, () => render(stepView(at, step, undefined, end), bar));
      await step.work(stage);
    }
    render(lastView(end), bar);
    focusIn(bar);
  } catch (error) {
    if (!over.signal.aborted) throw error;
  }
}

/**
 * Waits for a press.
 * @param {HTMLElement} bar @param {number} at @param {Step} step @param {() => void} end
 */
function pressed(bar, at, step, end) {
  return new Promise((resolve) => {
    render(
      stepView(at, step, () => resolve(undefined), end),
      bar,
    );
    focusIn(bar);
  });
}

/** @param {HTMLElement} bar */
function focusIn(bar) {
  /** @type {HTMLElement | null} */ (bar.querySelector(".primary"))?.focus();
}

/**
 * @param {number} at
 * @param {Step} step
 * @param {(() => void) | undefined} go undefined while it works
 * @param {() => void} end
 */
function stepView(at, { title, text, act }, go, end) {
  return html`<ol class="steps" aria-hidden="true">${steps.map((_, step) => html`<li data-state=${step < at ? "done" : step === at ? "now" : "next"}></li>`)}</ol>
    <div class="words" role="status"><h2><span class="unseen">Step ${at + 1} of ${steps.length}: </span>${title}</h2><p>${text}</p></div>
    <div class="actions">
      ${act === undefined ? nothing : html`<button type="button" class="primary" ?disabled=${go === undefined} @click=${go}>${act}</button>`}
      <button type="button" class="quiet" @click=${end}>End the tour</button>
    </div>`;
}

/** @param {() => void} end */
function lastView(end) {
  return html`<ol class="steps" aria-hidden="true">${steps.map(() => html`<li data-state="done"></li>`)}</ol>
    <div class="words" role="status"><h2>All of it ran in this tab</h2>
      <p>Both branches are kept. <a href="#/code">See the code that ran</a>, <a href="#/recordings">save a run as a file</a>, or <a href="#/race">race it against LangGraph.js</a>.</p></div>
    <div class="actions"><button type="button" class="primary" @click=${end}>Done</button></div>`;
}
