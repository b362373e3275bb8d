// SPDX-License-Identifier: MIT
// T24's programs and clients: conversations of agents, of an agent inside a graph, and of task(),
// led by a client that dies with its process and goes on in the next one from what getState shows.
// Knows no store and no way to die: `outside` has them. What clients saw and did is a journal;
// `check` is a fault found by whoever reads it.
import {
  AIMessage,
  Annotation,
  Command,
  END,
  HumanMessage,
  MessagesAnnotation,
  START,
  StateGraph,
  entrypoint,
  getPreviousState,
  interrupt,
  task,
  tool,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";

export const PROGRAMS = ["v1", "v2", "subgraph", "keep", "task"];
export const DURABILITIES = ["sync", "async", "exit"];
export const KEEP = { last: 2, every: 6 };

/**
 * @typedef {object} Outside
 * @property {(what: string) => Promise<void>} wait takes its time; the process may die there
 * @property {(event: Record<string, any>) => void} note writes into the journal, at once
 * @property {Record<string, any>[]} journal what all processes have written
 * @property {(text: string) => boolean} isStored does the thread's log hold this?
 */

/**
 * A plan is data: what each turn calls, in rounds.
 * @param {ReturnType<import("./world.mjs").makeRandom>} random
 */
export function makePlan(random, program) {
  const kinds = ["pay", "pay", "pay", "note", "order"];
  const roundOf = (turn, round) =>
    Array.from({ length: 1 + random.below(3) }, (_, place) => ({
      id: `${turn}-${round}-${place}`,
      name: random.pick(kinds),
    }));
  const turns = Array.from({ length: 2 + random.below(2) }, (_, turn) =>
    Array.from({ length: random.below(3) }, (_, round) => roundOf(turn, round)),
  );
  return {
    program,
    turns,
    version: program === "v2" || (program !== "v1" && random.chance(0.5)) ? "v2" : "v1",
  };
}

const fault = (text) => Object.assign(new Error(text), { isFault: true });
/** Notes a fault. @param {Outside} outside @param {string} text */
function found(outside, text) {
  outside.note({ fault: text });
  return fault(text);
}

const count = ({ journal }, test) => journal.filter(test).length;

/** A call of a tool, or a task of its own, does what it is for. @param {Outside} outside */
async function effect(outside, id, name) {
  const begun = count(outside, (event) => event.run === id);
  if (outside.isStored(`did ${id};`))
    throw found(outside, `${id} ran again after its result was stored`);
  if (outside.journal.some(({ shown }) => shown?.includes(`did ${id};`)))
    throw found(outside, `${id} ran again after its result was shown`);
  if (name === "order" && !outside.journal.some(({ approved }) => approved === id))
    throw found(outside, `${id} ran without an approval`);
  const accepted = count(outside, ({ answered, type }) => answered === id && type === "accept");
  if (name !== "note" && name !== "task" && begun > accepted)
    throw found(outside, `${id} ran ${begun + 1} times, and was allowed to ${accepted} times more`);
  outside.note({ run: id });
  await outside.wait(`runs ${id}`);
  return `did ${id};`;
}

const textOf = ({ content }) => String(content);
const typeOf = (message) => message.getType();
const turnsIn = (messages) => messages.filter((message) => typeOf(message) === "human").length;

/**
 * Calls that nobody answered, though the conversation goes on behind them.
 * @param {any[]} messages
 */
function openCalls(messages) {
  const open = [];
  messages.forEach((message, at) => {
    const ids = (message.tool_calls ?? []).map(({ id }) => id);
    const next = messages.slice(at + 1).findIndex((one) => typeOf(one) !== "tool");
    const answers = messages
      .slice(at + 1, next < 0 ? undefined : at + 1 + next)
      .map(({ tool_call_id }) => tool_call_id);
    open.push(...ids.filter((id) => !answers.includes(id)));
  });
  return open;
}

/** @param {any} plan @param {Outside} outside */
function modelOf({ turns }, outside) {
  const model = {
    _modelType: "base_chat_model",
    bindTools: () => model,
    async invoke(messages) {
      const open = openCalls(messages);
      if (open.length > 0) throw found(outside, `the model reads calls without an answer: ${open}`);
      await outside.wait("reads");
      const turn = turnsIn(messages) - 1;
      const round =
        messages.length - 1 - messages.findLastIndex((message) => typeOf(message) === "human");
      const rounds = messages
        .slice(-round || messages.length)
        .filter((message) => typeOf(message) === "ai").length;
      const calls = turns[turn][rounds] ?? [];
      const tool_calls = calls.map(({ id, name }) => ({
        id,
        name,
        args: { id },
        type: "tool_call",
      }));
      return new AIMessage({
        id: `ai-${turn}-${rounds}`,
        content: calls.length > 0 ? "" : `heard turn ${turn}`,
        tool_calls,
      });
    },
  };
  return model;
}

function toolsOf(outside) {
  const schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const toolOf = (name, fields) =>
    tool(({ id }) => effect(outside, id, name), { name, schema, ...fields });
  return [
    toolOf("pay", {}),
    toolOf("note", { idempotent: true }),
    toolOf("order", { approval: "ask" }),
  ];
}

/**
 * Tasks by calls of task(), a question in between: what each turn says is a line of what the
 * entrypoint saves.
 */
function entrypointOf({ turns }, checkpointer, outside) {
  const work = task("work", (id) => effect(outside, id, "task"));
  return entrypoint({ name: "talk", checkpointer }, async (turn) => {
    const previous = getPreviousState() ?? [];
    const lines = [];
    for (const round of turns[turn]) {
      lines.push(...(await Promise.all(round.map(({ id }) => work(id)))));
      if (round.length === 2) lines.push(`heard ${interrupt({ question: round[0].id })}`);
    }
    await outside.wait("ends");
    const all = [...previous, `turn ${turn}`, ...lines];
    return entrypoint.final({ value: all, save: all });
  });
}

/** @param {any} plan @param {any} checkpointer @param {Outside} outside */
export function build(plan, checkpointer, outside) {
  if (plan.program === "task") return entrypointOf(plan, checkpointer, outside);
  const parts = { llm: modelOf(plan, outside), tools: toolsOf(outside), version: plan.version };
  if (plan.program !== "subgraph") return createReactAgent({ ...parts, checkpointer });
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    visits: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  });
  return new StateGraph(State)
    .addNode("before", () => ({ visits: 1 }))
    .addNode("agent", createReactAgent(parts))
    .addNode("after", async () => (await outside.wait("after"), { visits: 100 }))
    .addEdge(START, "before")
    .addEdge("before", "agent")
    .addEdge("agent", "after")
    .addEdge("after", END)
    .compile({ checkpointer });
}

/**
 * The thread as a client sees it: what is said so far, which turns have begun, and whether the last
 * one is over.
 */
function read(plan, { values, next }) {
  if (plan.program === "task") {
    const lines = Array.isArray(values) ? values : [];
    return {
      shown: lines,
      begun: lines.filter((line) => line.startsWith("turn ")).length,
      isOver: next.length === 0,
    };
  }
  const messages = values.messages ?? [];
  const last = messages.at(-1);
  const isDone = last === undefined || (typeOf(last) === "ai" && last.tool_calls.length === 0);
  const isAfter = plan.program !== "subgraph" || (values.visits ?? 0) === turnsIn(messages) * 101;
  const shown = messages.map((message) =>
    typeOf(message) === "tool" ? textOf(message) : message.id,
  );
  return {
    shown,
    begun: turnsIn(messages),
    isOver: isDone && isAfter && openCalls(messages).length === 0,
  };
}

const inputOf = ({ program }, turn) =>
  program === "task"
    ? turn
    : { messages: [new HumanMessage({ id: `turn-${turn}`, content: `turn ${turn}` })] };

/**
 * What is answered to a question, and which one that was; the journal then knows it.
 * @param {Outside} outside
 */
function answer(outside, value, random) {
  if (value.kind === "unknown_tool_call") {
    const type = random.pick(["accept", "accept", "response", "ignore"]);
    outside.note({ answered: value.tool_call_id, type });
    return {
      type,
      args: type === "response" ? `by hand ${value.tool_call_id};` : null,
      digest: value.digest,
    };
  }
  if (value.question !== undefined) return `answer to ${value.question}`;
  outside.note({ approved: value.tool_call_id });
  return { type: "accept", args: null, digest: value.digest };
}

/**
 * Whether all that a client was told is still there.
 * @param {Outside} outside
 * @param {string[]} shown
 */
function compare(outside, shown) {
  const all = new Set(shown);
  for (const event of outside.journal) {
    const lost = (event.shown ?? []).filter((one) => !all.has(one));
    if (lost.length > 0) throw found(outside, `${event.by} is gone: ${lost}`);
  }
}

/**
 * One life: looks, and lets the conversation go on, until it is over or the process dies.
 * @param {any} plan @param {any} graph @param {Record<string, any>} config @param {Outside} outside
 * @param {ReturnType<import("./world.mjs").makeRandom>} random
 * @param {(snapshot: any) => any} [look] what getState says, with a planted bug
 */
export async function live(plan, graph, config, outside, random, look = (snapshot) => snapshot) {
  for (let runs = 0; runs < 60; runs++) {
    const snapshot = look(await graph.getState(config));
    const { shown, begun, isOver } = read(plan, snapshot);
    compare(outside, shown);
    if (!isOver && snapshot.next.length === 0)
      throw found(outside, `nothing is next, though it is not over: ${shown}`);
    if (begun < count(outside, ({ told }) => told === true))
      throw found(outside, `a turn that was acknowledged is gone: ${shown}`);
    outside.note({ by: "what getState showed", shown });
    if (snapshot.next.length === 0 && begun === plan.turns.length) return snapshot;
    const asked = snapshot.tasks
      .flatMap(({ interrupts }) => interrupts)
      .filter(({ value }) => value !== undefined);
    const isNew = snapshot.next.length === 0;
    const input = isNew
      ? inputOf(plan, begun)
      : asked.length === 0
        ? null
        : new Command({
            resume: Object.fromEntries(
              asked.map(({ id, value }) => [id, answer(outside, value, random)]),
            ),
          });
    const result = await graph.invoke(input, config);
    if (result?.__interrupt__ === undefined) outside.note({ told: true });
    if (plan.program !== "task")
      outside.note({
        by: "what a run gave",
        shown: read(plan, { values: result, next: [] }).shown,
      });
  }
  throw found(outside, "the conversation does not end");
}

/**
 * T24's planted bug: what is left of a step by a process that died is shown as if the run were
 * over.
 */
export const lookBroken = (snapshot) => ({ ...snapshot, next: [] });

/**
 * What a conversation ended with: as without a death, but for calls that were answered by hand.
 * @param {Outside} outside
 */
export function end(plan, { values }, { journal }) {
  if (plan.program === "task") return JSON.stringify(values);
  const contentOf = (message) => {
    if (typeOf(message) !== "tool") return textOf(message);
    const id = message.tool_call_id;
    const types = journal.filter(({ answered }) => answered === id).map(({ type }) => type);
    const said = textOf(message);
    const isKnown =
      said === `did ${id};` ||
      (said === `by hand ${id};` && types.includes("response")) ||
      (said.startsWith("It is not known") && types.includes("ignore"));
    return isKnown ? `about ${id}` : said;
  };
  return JSON.stringify([
    values.visits,
    values.messages.map((message) => [
      typeOf(message),
      message.tool_call_id ?? message.id,
      contentOf(message),
      message.tool_calls?.map(({ id }) => id),
    ]),
  ]);
}
