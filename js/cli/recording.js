// SPDX-License-Identifier: MIT
// A recording of a thread: what its server says of it, in one text, and a server that says the same
// of that text alone. Nothing is run again. Texts come from anywhere; the studio takes what they
// hold as it takes the words of any server.

/**
 * What is used of the states of a thread's history.
 * @typedef {{ checkpoint?: { checkpoint_id?: string } }} State
 */
/** @typedef {(path: string, body?: unknown) => Promise<unknown>} Ask gets JSON of a server */
/** @typedef {{ graph: string, thread: string }} Place */
/** @typedef {{ fetch: (input: string, init?: RequestInit) => Promise<Response> }} Server */

/** Bytes of a recording that is written or read. */
export const MAX_BYTES = 64 * 1024 * 1024;
const MARK = "studio-thread";
const FORMAT = 1;
/** Checkpoints of one reading. */
const PAGE = 200;
const NO_RECORDING = "This file is no recording of the studio, or its end is missing.";

/** Why a recording is not written or read, for a person. */
export class RecordingError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "RecordingError";
  }
}

/** @param {Place} place */
function pathsOf({ graph, thread }) {
  const assistant = `/assistants/${encodeURIComponent(graph)}`;
  const open = `/threads/${encodeURIComponent(thread)}`;
  return {
    open,
    history: `${open}/history`,
    decisions: `${open}/decisions`,
    stream: `${open}/stream?`,
    schemas: `${assistant}/schemas`,
    drawing: `${assistant}/graph?xray=false`,
    xray: `${assistant}/graph?xray=true`,
  };
}

/**
 * @param {Ask} ask
 * @param {Place} place an open thread
 * @returns {Promise<string>}
 * @throws RecordingError for one that is too long
 */
export async function takeRecording(ask, place) {
  const paths = pathsOf(place);
  // A server of another make may have none of these.
  const orNone = (/** @type {Promise<unknown>} */ asked) => asked.catch(() => undefined);
  const [thread, xray, drawing, schemas, decisions] = await Promise.all([
    ask(paths.open),
    ask(paths.xray),
    orNone(ask(paths.drawing)),
    orNone(ask(paths.schemas)),
    orNone(ask(paths.decisions)),
  ]);
  const at = new Date().toISOString();
  const head = { weft: MARK, format: FORMAT, at, graph: place.graph };
  const answers = { thread, xray, drawing, schemas, decisions };
  const states = await allStates(ask, paths.history);
  return checkLength(JSON.stringify({ ...head, ...answers, states }));
}

/** @param {Ask} ask @param {string} path @returns {Promise<State[]>} the newest first */
async function allStates(ask, path) {
  /** @type {State[]} */
  const states = [];
  for (let length = 0; ; ) {
    const before = states.at(-1)?.checkpoint?.checkpoint_id;
    const page = /** @type {State[]} */ (await ask(path, { limit: PAGE, before }));
    // A server of another make may not know `before`.
    if (states.length > 0 && page.at(-1)?.checkpoint?.checkpoint_id === before) return states;
    states.push(...page);
    length += JSON.stringify(page).length;
    if (length > MAX_BYTES) throw tooLong();
    if (page.length < PAGE) return states;
  }
}

/** @param {string} text @returns {string} */
function checkLength(text) {
  if (text.length > MAX_BYTES) throw tooLong();
  return text;
}

const tooLong = () =>
  new RecordingError(`A recording has ${MAX_BYTES / 1024 / 1024} MB at most: this one is longer.`);

/**
 * @param {string} text
 * @returns {Place & { at: string, server: Server }} with a server that only answers
 * @throws RecordingError for what is no recording
 */
export function openRecording(text) {
  const { graph, thread, at, answers, states } = read(text);
  const place = { graph, thread };
  const paths = pathsOf(place);
  /** @type {Map<string, unknown>} */
  const known = new Map([
    ["/assistants/search", [{ assistant_id: graph, graph_id: graph, name: graph }]],
    ["/threads/search", [answers.thread]],
    [paths.open, answers.thread],
    [paths.xray, answers.xray],
    [paths.drawing, answers.drawing],
    [paths.schemas, answers.schemas],
    [paths.decisions, answers.decisions],
  ]);
  /** @type {Server["fetch"]} */
  const fetch = async (input, { method = "GET", body, signal } = {}) => {
    const path = input.replace(/^\w+:\/\/[^/]*/, "");
    const isRead = method === "GET" || path.endsWith("/search");
    if (method === "POST" && path === paths.history)
      return Response.json(pageOf(states, JSON.parse(String(body))));
    if (method === "GET" && path.startsWith(paths.stream)) return silence(signal);
    const answer = isRead ? known.get(path) : undefined;
    if (answer !== undefined) return Response.json(answer);
    const status = isRead ? 404 : 403;
    return Response.json({ detail: "A recording is shown: nothing runs." }, { status });
  };
  return { ...place, at, server: { fetch } };
}

/** @param {string} text */
function read(text) {
  /** @type {import("../base/callable.js").Value} */
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new RecordingError(NO_RECORDING);
  }
  if (file?.weft !== MARK) throw new RecordingError(NO_RECORDING);
  if (file.format !== FORMAT)
    throw new RecordingError("This recording has the format of another version of the studio.");
  const { graph, thread: told, at, states, xray, drawing = xray, schemas, decisions = [] } = file;
  const thread = told?.thread_id;
  const isWhole =
    [graph, thread, at].every((word) => typeof word === "string") &&
    !Number.isNaN(Date.parse(at)) &&
    Array.isArray(states) &&
    Object(xray) === xray;
  if (!isWhole) throw new RecordingError("Parts of this recording are missing.");
  return {
    graph,
    thread,
    // It is shown: without what else a date may have around it.
    at: new Date(at).toISOString(),
    states,
    answers: { thread: told, xray, drawing, schemas, decisions },
  };
}

/** @param {(State | null)[]} states @param {{ limit?: number, before?: string }} query */
function pageOf(states, { limit = PAGE, before }) {
  const ids = states.map((state) => state?.checkpoint?.checkpoint_id);
  const from = before === undefined ? 0 : ids.indexOf(before) + 1;
  return states.slice(from, from + limit);
}

/** A stream of a thread in which nothing happens. @param {AbortSignal | null} [signal] */
function silence(signal) {
  const body = new ReadableStream({
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
    },
  });
  return new Response(body);
}
