// SPDX-License-Identifier: MIT
// Says what each node and edge of a drawing shows: of the run that goes on or ended here, or at the
// checkpoint that is looked at. Must not know: how it is drawn.

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../time/branches.js").Mark} Mark */
/** @typedef {"idle" | "next" | "running" | "waiting" | "done" | "failed"} Shown */
/**
 * `parallel`: what is said of tasks side by side.
 * @typedef {{ state: Shown, parallel: string | undefined, running: number }} NodeSight
 */

/** What a node does, in words. */
export const WORDS = Object.freeze({
  idle: "idle",
  next: "next",
  running: "running",
  waiting: "waits for an answer",
  done: "done",
  failed: "failed",
});

/** Steps back to the input of a run that are looked for. */
const FAR = 200;

/** @param {Store} store */
const isLive = (store) =>
  store.selected === undefined && (store.run !== undefined || store.watch.live.nodes.size > 0);

/**
 * @param {Store} store
 * @returns {(id: string) => NodeSight} of a node, `outer:inner` in graphs inside
 */
export function nodeSights(store) {
  const { shown, watch } = store;
  const now = isLive(store) ? watch.live.nodes : undefined;
  const ran = ranBefore(store);
  return (id) => {
    const activity = now?.get(id);
    if (activity !== undefined && activity.state !== "idle") {
      const { state, running, count } = activity;
      const parallel = count < 2 ? undefined : running > 0 ? `${running} of ${count}` : `${count}×`;
      return { state, running, parallel };
    }
    return { state: atCheckpoint(shown, id, ran), running: 0, parallel: parallelAt(shown, id) };
  };
}

/** @param {Mark | undefined} shown @param {string} id @param {Set<string>} ran @returns {Shown} */
function atCheckpoint(shown, id, ran) {
  const tasks = shown?.state.tasks.filter(({ name }) => name === id) ?? [];
  if (tasks.some(({ error }) => error)) return "failed";
  if (tasks.some(({ interrupts }) => interrupts.length > 0)) return "waiting";
  if (shown?.state.next.includes(id)) return "next";
  return ran.has(id) ? "done" : "idle";
}

/** @param {Mark | undefined} shown @param {string} id */
function parallelAt(shown, id) {
  const count = shown?.state.next.filter((name) => name === id).length ?? 0;
  return count < 2 ? undefined : `${count}×`;
}

/** Nodes that ran between the last input and what is shown. @param {Store} store */
function ranBefore({ shown, history }) {
  /** @type {Set<string>} */
  const ran = new Set();
  for (let mark = shown, far = 0; mark !== undefined && far < FAR; far++) {
    if (mark.state.metadata.source === "input") break;
    mark = history.find(mark.parent);
    for (const name of mark?.state.next ?? []) ran.add(name);
  }
  return ran;
}

/**
 * @param {Store} store
 * @returns {(source: string, target: string) => boolean} whether the edge was just taken
 */
export function takenEdges(store) {
  const { shown, before, watch } = store;
  // A run that is over leads to the end, which no task tells.
  const steps =
    isLive(store) && store.run !== undefined
      ? watch.live.taken
      : shown === undefined || before === undefined
        ? []
        : [[new Set(before.state.next), endOf(shown)]];
  return (source, target) =>
    steps.some(([from, to]) => isPartOf(source, from) && isPartOf(target, to));
}

/** @param {Mark} mark @returns {Set<string>} where its step led */
const endOf = ({ state: { next } }) => new Set(next.length > 0 ? next : ["__end__"]);

/**
 * Edges of a graph inside begin and end at its own nodes.
 * @param {string} id
 * @param {Set<string>} names
 */
const isPartOf = (id, names) =>
  names.has(id) || [...names].some((name) => id.startsWith(`${name}:`));
