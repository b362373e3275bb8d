// SPDX-License-Identifier: MIT
// What is promised of an order (docs/guides/streaming.md), so that two packages with different
// schedules can be compared: in what a program saw, that which may come in any order is sorted.
// What one task or one run tells, and steps that are told apart, keep theirs.

const ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/g;
const MODES = new Set([
  "values",
  "updates",
  "messages",
  "custom",
  "tools",
  "tasks",
  "checkpoints",
  "debug",
]);

/** @param {any} value @returns {string} it, the same for every random id */
const textOf = (value) => JSON.stringify(value).replace(ID, "<id>");
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isChunk = (value) => Array.isArray(value) && value.length === 2 && MODES.has(value[0]);
const isPlaced = (value) =>
  Array.isArray(value) &&
  (value.length === 2 || isChunk(value.slice(1))) &&
  Array.isArray(value[0]) &&
  value[0].every((part) => typeof part === "string" && part.includes(":"));
const isEvent = (value) =>
  typeof value?.event === "string" ||
  (Array.isArray(value) && String(value[0]).startsWith("on_")) ||
  String(value).startsWith("on_");
const isOps = (value) =>
  Array.isArray(value?.ops ?? value) &&
  (value.ops ?? value).length > 0 &&
  (value.ops ?? value).every(
    (op) =>
      (Array.isArray(op) && String(op[1]).startsWith("/")) ||
      op?.path?.startsWith("/") ||
      op?.path === "" ||
      op?.[1] === "",
  );
/** An update of a node, or what a task shows. */
const isBare = (value) => isObject(value) && (isTask(value) || Object.keys(value).length <= 2);
const isDebug = (value) =>
  isObject(value) && typeof value.step === "number" && value.payload !== undefined;
const isTask = (value) =>
  isObject(value) && typeof value.name === "string" && Array.isArray(value.interrupts);
const isStart = (payload) => isTask(payload) && payload.result === undefined;
/**
 * The calls of task() begin and end while others of their step run, handlers when one has failed.
 */
const isLate = ({ name, input }) => Array.isArray(input) || name.startsWith("__error_handler__");

/**
 * @param {Array<[string, any]>} seen what was noted, with its ids
 * @returns {Array<[string, any]>}
 */
export function promised(seen) {
  const shown = [];
  for (let i = 0; i < seen.length; ) {
    const [label, value] = seen[i];
    let end = i + 1;
    // What was noted one by one.
    const kind = [isEvent, isOps, isChunk, isPlaced].find((is) => is(value));
    if (kind !== undefined)
      while (end < seen.length && seen[end][0] === label && kind(seen[end][1])) end++;
    shown.push([
      label,
      end - i > 1 ? inOrder(seen.slice(i, end).map(([, one]) => one)) : within(value),
    ]);
    i = end;
  }
  return shown;
}

/** @param {any} value */
function within(value) {
  // Of failures that come one soon after the other LangGraph.js throws the first, Weft those of one
  // turn.
  if (value?.["<error>"] === "AggregateError" && value.errors.length > 0) return value.errors[0];
  if (value?.__interrupt__?.length > 1)
    return { ...value, __interrupt__: stable(value.__interrupt__, textOf) };
  if (!Array.isArray(value)) return value;
  const found = inOrder(value);
  return found === value ? value.map(within) : found;
}

/** @param {any[]} list @param {string[]} [questions] ids in the order of the graphs inside */
function inOrder(list, questions) {
  if (list.length < 2) return list;
  if (list.every(isEvent)) return eventsOf(list);
  if (list.every(isOps))
    return grouped(list, (one) =>
      String((one.ops ?? one)[0].path ?? (one.ops ?? one)[0][1])
        .split("/")
        .slice(0, 3)
        .join("/"),
    );
  if (list.every(isPlaced)) return placed(list);
  if (list.every(isChunk)) return steps(list, questions);
  if (list.every(isDebug)) return steps(list.map((one) => ["debug", one])).map(([, one]) => one);
  if (list.every(isBare))
    return stable(list, (one) =>
      isTask(one) ? `${one.name} ${isStart(one) ? 0 : 1}` : Object.keys(one).join(),
    );
  return list;
}

/** @template T @param {T[]} list @param {(one: T) => string} keyOf @returns {T[]} */
function stable(list, keyOf) {
  return list
    .map((one) => [keyOf(one), one])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, one]) => /** @type {T} */ (one));
}

/**
 * @param {any[]} list
 * @param {(one: any) => string} keyOf
 * @returns {any[][]} lists of those with one key, in an order of their own
 */
function groups(list, keyOf) {
  const found = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(one);
  }
  return [...found.values()];
}

/** @param {any[]} list @param {(one: any) => string} keyOf */
function grouped(list, keyOf) {
  return stable(groups(list, keyOf), textOf).flat();
}

/**
 * Each graph by itself, with the questions of those inside in the order in which these are shown.
 * @param {any[]} list
 */
function placed(list) {
  const graphs = groups(list, ([namespace]) => namespace.join("|"));
  const depths = [...new Set(graphs.map(([[namespace]]) => namespace.length))];
  const shown = [];
  const questions = [];
  for (const depth of depths.sort((a, b) => b - a)) {
    const own = graphs
      .filter(([[namespace]]) => namespace.length === depth)
      .map((group) => {
        const [[namespace]] = group;
        const chunks = group.map(([, ...chunk]) => (chunk.length === 1 ? chunk[0] : chunk));
        return inOrder(chunks, questions).map((chunk) =>
          group[0].length === 3 ? [namespace, ...chunk] : [namespace, chunk],
        );
      });
    const sorted = stable(own, textOf).flat();
    shown.unshift(...sorted);
    questions.push(...sorted.map(([, ...chunk]) => questionOf(chunk.at(-1))));
  }
  return shown;
}

/** @param {any} payload @returns {string | undefined} the id of the first question that it asks */
const questionOf = (payload) => payload?.__interrupt__?.[0]?.id;

/**
 * Chunks between two states of a graph, or the beginnings of two steps, come in the order in which
 * tasks end.
 * @param {any[]} list
 * @param {string[]} [questions]
 */
function steps(list, questions = []) {
  const shown = [];
  let open = [];
  const started = list.flatMap(([mode, payload]) =>
    isStart(toldBy(mode, payload)) ? [toldBy(mode, payload).id] : [],
  );
  const close = () => {
    shown.push(
      ...stable(
        open,
        (chunk) =>
          keyOf(chunk) +
          padded(started.indexOf(toldBy(...chunk)?.id)) +
          padded(questions.indexOf(questionOf(chunk[1]))),
      ),
    );
    open = [];
  };
  for (const chunk of list) {
    const [mode, payload] = chunk;
    const told = toldBy(mode, payload);
    const isState =
      mode === "checkpoints" ||
      (mode === "values" && payload?.__interrupt__ === undefined) ||
      payload?.type === "checkpoint";
    if (!isState && !(isStart(told) && !isLate(told))) {
      open.push(chunk);
      continue;
    }
    close();
    shown.push(chunk);
  }
  close();
  return shown;
}

/** @param {number} place */
const padded = (place) => String(place).padStart(5);

/** @param {string} mode @param {any} payload */
function toldBy(mode, payload) {
  return mode === "debug" ? payload.payload : payload;
}

/** @param {[string, any]} chunk */
function keyOf([mode, payload]) {
  if (mode === "custom" || mode === "tools") return mode;
  if (mode === "messages") return `${mode} ${payload[1]?.langgraph_node}`;
  return textOf([mode, payload]);
}

/**
 * Runs by themselves; what a run gives comes in the order of its stream, which is compared behind
 * what else is told of it.
 * @param {any[]} list
 */
function eventsOf(list) {
  if (list.some((one) => typeof one === "string"))
    return grouped(list, (one) => one.slice(one.indexOf(" ")));
  const idOf = (one) =>
    one.run_id ??
    (typeof one[2] === "string" && one[2].replace(ID, "") === "" ? one[2] : (one.name ?? one[1]));
  const isPart = (one) => /_chain_stream$/.test(one.event ?? one[0]);
  const runs = groups(list, idOf).map((run) => [
    ...run.filter((one) => !isPart(one)),
    inOrder(run.filter(isPart).map((one) => (one.data ?? one[2])?.chunk)),
  ]);
  return stable(runs, textOf).flat();
}
