// SPDX-License-Identifier: MIT
// One program about approval (approval-plans.mjs), run by processes that may die, with a person who
// answers. What was shown, what was answered to which question and what ran are written down, and
// compared where something runs.
import { AIMessage, Command, MemorySaver } from "weftgraph";
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { TestClock } from "weftgraph/testing";
import { argumentsOf, definitionOf, makeAgent, verdictOf } from "./approval-parts.mjs";
import { FAITHFUL, makePlan } from "./approval-plans.mjs";
import { Violation, makeRandom } from "./world.mjs";

const THREAD = "t";
const TURNS = 30;
const INTERNAL = /^(TypeError|ReferenceError|SyntaxError|RangeError|AssertionError)$/;
const CODES = /^(INTERNAL|BAD_EVENT|ENGINE_TRAPPED|CORRUPT_LOG)$/;
const MISTAKE =
  /Cannot read prop|is not a function|is not iterable|is not defined|undefined \(reading/;
const NOT_RUN = /was not run\.|was not run;|must not be called/;

/**
 * How a value is shown: what JSON cannot hold has a form of its own.
 * @param {any} value
 * @returns {any}
 */
function shownForm(value) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $number: Object.is(value, -0) ? "-0" : String(value) };
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value === undefined) return { $undefined: true };
  if (typeof value === "function") return { $function: true };
  if (Array.isArray(value)) return value.map(shownForm);
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Map) return { $map: [...value].map((pair) => pair.map(shownForm)) };
  if (value instanceof Set) return { $set: [...value].map(shownForm) };
  const fields = Object.fromEntries(
    Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .map((key) => [key, shownForm(value[key])]),
  );
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return { $class: [prototype.constructor?.name, fields] };
  return Object.keys(fields).some((key) => key.startsWith("$")) ? { $object: fields } : fields;
}

/** Is it JSON as it is, whatever its keys are? @param {any} value */
function isJson(value) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  const isRecord =
    typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return (
    isRecord && Object.keys(value).every((key) => value[key] === undefined || isJson(value[key]))
  );
}

/** A text that is the same for equal JSON. @param {any} json @returns {string} */
function sortedText(json) {
  if (json === null || typeof json !== "object")
    return JSON.stringify(json === 0 ? 0 : json) ?? "nothing";
  if (Array.isArray(json)) return `[${json.map(sortedText).join()}]`;
  return `{${Object.keys(json)
    .sort()
    .filter((key) => json[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${sortedText(json[key])}`)
    .join()}}`;
}

/**
 * The texts under which what a tool got may have been shown: with a note that says so, or as JSON.
 * @param {any} value
 */
function textsOf(value) {
  const isRecord = value !== null && typeof value === "object" && !Array.isArray(value);
  const form = shownForm(value);
  // A tool of one text that got none.
  if (value === undefined) return { plain: ["{}", sortedText(form)], noted: [sortedText(form)] };
  const plain = isJson(value)
    ? [
        sortedText(isRecord ? value : { $value: form }),
        ...(typeof value === "string" ? [sortedText({ input: value })] : []),
      ]
    : [];
  return { plain, noted: [sortedText(form), sortedText({ $value: form })] };
}

/** A store that dies with its process. */
function gate(store, process) {
  const { world } = process;
  const dead = () => Object.assign(new Error("injected: dead"), { injected: true });
  return new Proxy(store, {
    get(target, key) {
      const given = target[key];
      if (typeof given !== "function") return given;
      return (...words) => {
        if (!process.alive) throw dead();
        if (key !== "append") return given.apply(target, words);
        world.appends++;
        const isLast = world.plan.crash?.at === world.appends;
        if (isLast) process.alive = false;
        if (!isLast || world.plan.crash.way === "after") given.apply(target, words);
        if (isLast) throw dead();
        return undefined;
      };
    },
  });
}

/** What was shown, given and run. */
export class World {
  store = new MemorySaver().store;
  appends = 0;
  /** The time of every process, in ms since 1970. */
  now = 0;
  wraps = 0;
  /**
   * What runs of tools are allowed by: { thread, name, text, isNoted, definition, isSure, request
   * }.
   */
  grants = [];
  /**
   * By the id of its record, or by what it shows: a request is decided once.
   * @type {Map<string, { isUsed: boolean }>}
   */
  requests = new Map();
  runs = [];
  /** By approval id or, without one, by what they show. */
  shown = new Map();
  trace = [];
  counts = {
    questions: 0,
    answers: 0,
    runs: 0,
    approved: 0,
    refused: 0,
    crashes: 0,
    errors: 0,
    finished: 0,
  };

  /** @param {any} plan @param {ReturnType<typeof makeRandom>} random */
  constructor(plan, random) {
    this.plan = plan;
    this.random = random;
    this.generation = 0;
    this.processes = 0;
  }

  spawn() {
    const process = {
      world: this,
      alive: true,
      number: ++this.processes,
      generation: this.generation,
    };
    process.saver = new MemorySaver();
    process.saver.store = gate(this.store, process);
    process.agent = makeAgent(this.plan, process);
    return process;
  }

  /** @param {string} text */
  violate(text) {
    this.violation ??= new Violation(text);
    return this.violation;
  }

  /**
   * A tool runs.
   * @param {any} process
   * @param {any} planned tool
   * @param {any} args
   * @param {any} config
   */
  async run(process, planned, args, config) {
    if (!process.alive) throw new Error("dead");
    const { name } = planned;
    const thread = config?.configurable?.thread_id;
    const texts = textsOf(args);
    const before = [...texts.plain, ...texts.noted].join();
    const verdict = verdictOf(planned, args);
    this.trace.push(`runs ${name} ${texts.noted[0]}`);
    this.counts.runs++;
    this.runs.push({ id: config?.toolCallId ?? config?.toolCall?.id, name, thread });
    if (verdict === "deny") this.violate(`"${name}", which is denied, ran with ${texts.noted[0]}`);
    const request = verdict === "ask" ? this.#useGrant(process, planned, thread, texts) : undefined;
    if (this.plan.fails && name === "note") {
      // What failed may be tried again.
      if (request !== undefined) request.isUsed = false;
      throw new Error("the tool fails");
    }
    if (verdict !== "ask") return `did ${name}`;
    for (let i = 0; i < 8; i++) await undefined;
    const after = textsOf(args);
    if ([...after.plain, ...after.noted].join() !== before)
      this.violate(`what "${name}" got changed while it ran: ${before} became ${after.noted[0]}`);
    return `did ${name}`;
  }

  #useGrant(process, planned, thread, texts) {
    const { name } = planned;
    const definition = definitionOf(planned, this.plan, process);
    const found = this.grants.filter(
      (grant) =>
        grant.name === name &&
        !grant.request.isUsed &&
        (grant.isNoted ? texts.noted : texts.plain).includes(grant.text),
    );
    const here = found.findLast(
      (grant) => grant.thread === thread && [undefined, definition].includes(grant.definition),
    );
    if (here !== undefined) {
      here.request.isUsed = true;
      this.counts.approved++;
      return here.request;
    }
    const why =
      found.length === 0
        ? ""
        : found[0].thread !== thread
          ? `, but in the thread ${found[0].thread}`
          : ", but under another definition";
    const shown = [...this.shown.values()]
      .filter((question) => question.name === name)
      .map(({ text }) => text);
    this.violate(
      `"${name}" ran with ${texts.noted[0]}, which nobody approved${why}; shown of it: ${shown.join(" ") || "nothing"}`,
    );
    return undefined;
  }

  /**
   * What a person reads.
   * @param {any} process that shows it
   * @param {string} thread
   * @param {any} interrupt
   * @returns {any[]} the questions about calls in it
   */
  read(process, thread, { id, value }, task) {
    const several = partsOf(value);
    const isList = Array.isArray(value) || several !== undefined;
    return (several ?? [value].flat()).map((request, place) => {
      const { action, args } = request.action_request;
      const { approval_id: approval, digest, canonical, note } = request;
      if (typeof canonical !== "string")
        throw this.violate(
          `a question about "${action}" shows no text: ${JSON.stringify(request)}`,
        );
      const text = sortedText(JSON.parse(canonical));
      if (text !== sortedText(args))
        this.violate(`the question about "${action}" shows ${sortedText(args)} and ${text}`);
      const planned = this.plan.tools.find((tool) => tool.name === action);
      const isDoubt = request.kind === "unknown_tool_call";
      // What a review asked about is not bound to the tool's definition any more when it is in
      // doubt.
      const definition =
        planned === undefined || (isDoubt && this.plan.host.startsWith("review"))
          ? undefined
          : definitionOf(planned, this.plan, process);
      const question = {
        key: `${thread} ${approval ?? `${id} ${place}`} ${digest}`,
        planned,
        definition,
        thread,
        id,
        task,
        name: action,
        text,
        isNoted: note !== undefined,
        digest,
        approval,
        place,
        isList,
        callId: request.tool_call_id ?? request.id,
        isDoubt,
        problem: request.problem,
        expires: Date.parse(value.expires_at),
      };
      const { key } = question;
      if (!this.shown.has(key)) this.counts.questions++;
      if (!this.shown.has(key)) this.trace.push(`asks ${action} ${text}`);
      this.shown.set(key, question);
      return question;
    });
  }

  /**
   * An answer is given to a question.
   * @param {any} question
   * @param {any} answer
   * @param {boolean} isSure must it run?
   */
  grant({ key, planned, definition, thread, name, text, isNoted, expires }, answer, isSure) {
    if (planned === undefined || expires <= this.now) return;
    const request = this.requests.get(key) ?? { isUsed: false };
    this.requests.set(key, request);
    // LangChain's tools check JSON Schema themselves, when they run.
    const isChecked =
      !["core", "structured"].includes(planned.kind) || !planned.schema.startsWith("json");
    const common = { thread, name, definition, isSure: isSure && isChecked, request };
    if (answer.type === "accept") this.grants.push({ ...common, text, isNoted });
    if (answer.type === "edit" && answer.args.action === name)
      for (const form of textsOf(answer.args.args).plain)
        this.grants.push({ ...common, text: form, isNoted: false, isSure: false });
  }
}

/**
 * The calls of a question about several, each in the form of a question about it alone.
 * @param {any} value
 */
function partsOf({ action_requests: calls, digest, problem, kind }) {
  if (kind !== undefined || !(calls?.length > 1)) return undefined;
  return calls.map(({ name: action, args, id, ...one }) => ({
    ...one,
    action_request: { action, args },
    tool_call_id: id,
    digest,
    problem,
  }));
}

/** What a person says to a question. @param {any} world @param {any} question @param {any} move */
function answerOf({ plan }, { name, digest, approval, isDoubt }, move) {
  const type = isDoubt && move.type === "edit" ? "accept" : move.type;
  const answer = { type, args: type === "response" ? "No." : null };
  if (type === "edit") {
    const action = move.edit.name === "same" ? name : move.edit.name;
    answer.args = {
      action,
      args: argumentsOf(move.edit, plan.tools.find((tool) => tool.name === action)?.schema),
    };
  }
  if (move.digest !== undefined)
    answer.digest =
      move.digest === "right"
        ? digest
        : `${digest.slice(0, -1)}${digest.endsWith("0") ? "1" : "0"}`;
  if (move.approval !== undefined && approval !== undefined) {
    answer.approval_id = {
      right: approval,
      zeros: "0".repeat(32),
      empty: "",
      malformed: `${approval}0`,
      unknown: opposite(approval),
      other: digest.slice(0, 32),
    }[move.approval];
  }
  return answer;
}

/** An id that there is not. @param {string} id of 32 digits */
const opposite = (id) => id.replace(/./g, (digit) => (15 - parseInt(digit, 16)).toString(16));
const ACCEPT = {
  type: "accept",
  named: "id",
  digest: "right",
  approval: undefined,
  how: "once",
  isFresh: false,
};
/** Does a reply name what it was given to, if it names anything? */
const isRight = ({ questions, answers, move }) =>
  move.named !== "nowhere" &&
  answers.every(
    ({ digest, approval_id }, at) =>
      (digest ?? questions[at].digest) === questions[at].digest &&
      (approval_id ?? questions[at].approval) === questions[at].approval,
  );

/** Is an error one that a client may see? @param {any} error */
function isExpected(error) {
  const { name, code, message = "", cause, errors, injected } = error ?? {};
  if (injected || /^dead$|injected/.test(message)) return true;
  if (CODES.test(code) || INTERNAL.test(name) || MISTAKE.test(message))
    return cause !== undefined && isExpected(cause);
  return (
    typeof code === "string" ||
    typeof name === "string" ||
    (Array.isArray(errors) && errors.every(isExpected))
  );
}

/** Whose calls, of which task, are asked about. @param {any[]} questions */
const subjectsOf = (questions) => questions.map(({ task, callId }) => `${task} ${callId}`).join();

class Play {
  /** @param {number} seed @param {any} plan */
  constructor(seed, plan) {
    this.plan = plan;
    this.world = new World(plan, makeRandom(seed ^ 0x5eed));
    this.moves = [...plan.moves];
    /** Answers that were given, for those who deliver them again. */
    this.sent = [];
    this.copies = 0;
  }

  config(thread = THREAD) {
    return {
      configurable: { thread_id: thread },
      durability: this.plan.durability,
      recursionLimit: 40,
      clock: this.plan.expires && new TestClock(this.world.now),
    };
  }

  /** Delivers, and sees that only expected errors come back. */
  async deliver(process, input, config = this.config()) {
    const { world } = this;
    try {
      const result = await this.#invoke(process, input, config);
      for (const message of result?.messages ?? [])
        if (message.type === "tool" && MISTAKE.test(message.content))
          world.violate(`the model was told of a mistake inside: ${message.content}`);
      return { result };
    } catch (error) {
      if (!isExpected(error)) world.violate(`an error from inside: ${error.stack}`);
      world.counts.errors++;
      world.trace.push(`fails ${error.code ?? error.name}: ${String(error.message).slice(0, 120)}`);
      return { error };
    }
  }

  async #invoke({ agent }, input, config) {
    if (!this.plan.isStreamed) return agent.invoke(input, config);
    let last;
    for await (const state of await agent.stream(input, { ...config, streamMode: "values" }))
      last = state;
    return last;
  }

  /**
   * @param {any} process
   * @param {string} [thread]
   * @returns {Promise<{ snapshot: any, questions: any[][] }>} one list for each interrupt
   */
  async look(process, thread = THREAD) {
    const snapshot = await process.agent.getState(this.config(thread));
    const open = snapshot.tasks.filter(({ result }) => result === undefined);
    const all = open.flatMap((task) =>
      task.interrupts.map((one) => this.world.read(process, thread, one, task.id)),
    );
    // Those that were decided while others of the same step wait are still listed.
    const waiting = all.filter(
      (one) => !one.every(({ key }) => this.world.requests.get(key)?.isUsed),
    );
    const questions = waiting.length > 0 ? waiting : all;
    return { snapshot, questions };
  }

  /** An answer to one interrupt. */
  #reply(questions, move) {
    const isMixed = this.plan.isTogether && this.world.random.chance(0.5);
    const answers = questions.map((question, at) =>
      answerOf(this.world, question, at % 2 === 1 && isMixed ? { ...move, type: "accept" } : move),
    );
    return { questions, move, answers, value: questions[0].isList ? answers : answers[0] };
  }

  /** The command that brings it. */
  #command({ questions, move, value }, alone) {
    const [{ id }] = questions;
    return new Command({
      resume:
        move.named === "plain" && alone
          ? value
          : { [move.named === "nowhere" ? opposite(id) : id]: value },
    });
  }

  #give(reply) {
    const { questions, move, answers } = reply;
    this.world.counts.answers += answers.length;
    this.world.trace.push(
      `answers ${questions.map(({ name }) => name)} ${JSON.stringify(answers)} ${move.how} ${move.named}`,
    );
    if (!isRight(reply)) {
      this.world.counts.refused += answers.length;
      return;
    }
    answers.forEach((answer, at) =>
      this.world.grant(questions[at], answer, this.plan.isCalm && this.isRightAll),
    );
  }

  /** An answer that names what does not wait changes nothing, and is told what does. */
  async #deliverWrong(process, reply, command) {
    const { world } = this;
    const { appends } = world;
    const { error } = await this.deliver(process, command);
    const namesNothing =
      reply.move.named === "nowhere" ||
      reply.answers.some(
        ({ approval_id }, at) =>
          approval_id !== undefined && approval_id !== reply.questions[at].approval,
      );
    if (!namesNothing || !process.alive || world.violation) return;
    if (error?.name !== "UnknownInterruptError" || !Array.isArray(error.pendingIds))
      world.violate(
        `the answer ${JSON.stringify(command.resume)} was not rejected: ${error?.stack ?? "it was taken"}`,
      );
    else if (world.appends !== appends)
      world.violate("an answer that names no question was written");
  }

  /** @param {any} process */
  async turn(process) {
    const { world, plan } = this;
    const { snapshot, questions } = await this.look(process);
    if (snapshot.metadata === undefined) return this.#start(process);
    if (snapshot.next.length === 0) return "over";
    if (questions.length === 0) return (await this.deliver(process, null)).error;
    if (plan.change !== undefined && world.generation === 0 && world.random.chance(0.7)) {
      // The person has looked, and answers another program.
      const early = this.#reply(questions[0], { ...ACCEPT, ...(this.moves[0] ?? {}), how: "once" });
      this.#give(early);
      world.generation = 1;
      const next = this.#spawn();
      if (next === undefined) return "over";
      await this.deliver(next, this.#command(early, questions.length === 1));
      process.alive = false;
      return undefined;
    }
    const move = this.moves.shift() ?? ACCEPT;
    if (move.isFresh) process = this.#spawn() ?? process;
    const count = questions.length > 1 && world.random.chance(0.4) ? 1 : questions.length;
    const replies = questions
      .slice(0, count)
      .map((one, at) => this.#reply(one, at === 0 ? move : { ...ACCEPT, named: "id" }));
    return this.#answer(process, snapshot, replies, questions.length === 1);
  }

  async #start(process) {
    const { error } = await this.deliver(process, {
      messages: [{ type: "human", id: "h", content: "go" }],
    });
    return error;
  }

  async #answer(process, snapshot, replies, alone) {
    const { world } = this;
    const [first] = replies;
    const { move } = first;
    if (this.plan.expires && world.random.chance(0.3)) world.now += 1000;
    if (!isRight(first)) replies = [first];
    this.isRightAll = replies.every(isRight);
    const command =
      replies.length === 1
        ? this.#command(first, alone)
        : new Command({
            resume: Object.fromEntries(
              replies.map(({ questions, value }) => [questions[0].id, value]),
            ),
          });
    if (move.how === "stale" && this.sent.length > 0)
      return void (await this.#late(process, world.random.pick(this.sent)));
    if (move.how === "copy" || move.how === "import") await this.#copy(process, command, move.how);
    if (move.how === "rewritten" && (await this.#rewrite(process, snapshot)))
      return void (await this.deliver(process, command));
    if (!this.isRightAll) return void (await this.#deliverWrong(process, first, command));
    for (const reply of replies) this.#give(reply);
    const isNamed =
      replies.length > 1 ||
      !alone ||
      move.named === "id" ||
      move.digest !== undefined ||
      move.approval !== undefined;
    const given = { command, isNamed, about: subjectsOf(first.questions), replies };
    this.sent.push(given);
    if (move.how === "together" || move.how === "rivals") return this.#race(process, given);
    const { error } = await this.deliver(process, command);
    if (!process.alive) return undefined;
    if (move.how === "twice") await this.#late(process, given);
    if (move.how === "travel")
      await this.#late(process, given, {
        ...this.config(),
        configurable: snapshot.config.configurable,
      });
    return error;
  }

  /** The call is another one when the answer comes. @returns {Promise<boolean>} */
  async #rewrite(process, { config, values }) {
    const message = values.messages?.at(-1);
    if (!["v1", "v2", "node"].includes(this.plan.host) || !message?.tool_calls?.length)
      return false;
    const calls = message.tool_calls.map((call) => ({
      ...call,
      args: { to: "mallory", amount: 9000 },
    }));
    this.world.trace.push("rewrites the message");
    await process.agent.updateState(
      config,
      { messages: [new AIMessage({ id: message.id, content: "", tool_calls: calls })] },
      this.plan.host === "node" ? "model" : "agent",
    );
    return true;
  }

  /**
   * An answer is delivered again. One that names nothing is a new one to what asks about another
   * call first.
   */
  async #late(process, { command, isNamed, about }, config = this.config()) {
    const { questions } = await this.look(process);
    if (!isNamed && questions.length > 0 && subjectsOf(questions.flat()) !== about) return;
    this.world.trace.push(`delivers again ${JSON.stringify(command.resume)}`);
    await this.deliver(process, command, config);
  }

  /** Two clients answer at once. */
  async #race(process, given) {
    if (!given.isNamed) return (await this.deliver(process, given.command)).error;
    const other = this.#spawn() ?? process;
    let { command } = given;
    if (given.replies[0].move.how === "rivals") {
      const [reply] = given.replies;
      const answers = reply.answers.map(({ digest, approval_id }) => ({
        type: "ignore",
        args: null,
        digest,
        approval_id,
      }));
      command = new Command({
        resume: { [reply.questions[0].id]: reply.questions[0].isList ? answers : answers[0] },
      });
      for (const grant of this.world.grants) grant.isSure = false;
    }
    const [one] = await Promise.all([
      this.deliver(process, given.command),
      this.deliver(other, command),
    ]);
    return one.error?.code === "FENCED" ? undefined : one.error;
  }

  /** The answer is given to a copy of the thread. */
  async #copy(process, command, how) {
    const { world } = this;
    const thread = `${how}-${++this.copies}`;
    const copying =
      how === "copy"
        ? copyThread(process.saver, THREAD, thread)
        : exportThread(process.saver, THREAD).then((bytes) =>
            importThread(process.saver, bytes, { threadId: thread }),
          );
    await copying.catch(
      (error) => isExpected(error) || world.violate(`a copy fails: ${error.stack}`),
    );
    if (!process.alive) return;
    world.trace.push(`copies to ${thread}`);
    await this.deliver(process, command, this.config(thread));
    if (process.alive) await this.look(process, thread);
  }

  #spawn() {
    try {
      return this.world.spawn();
    } catch (error) {
      if (this.plan.namesake === undefined || error.code !== "APPROVAL")
        throw this.world.violate(`the agent cannot be made: ${error.stack}`);
      return undefined;
    }
  }

  async run() {
    const { world, plan } = this;
    let process = this.#spawn();
    let failures = 0;
    let end;
    for (
      let turn = 0;
      process !== undefined && turn < TURNS && failures < 3 && !world.violation;
      turn++
    ) {
      if (!process.alive) {
        if (turn > 0 && plan.crash && world.appends >= plan.crash.at) world.counts.crashes = 1;
        process = this.#spawn();
      }
      if (process === undefined) break;
      try {
        end = await this.turn(process);
      } catch (error) {
        if (!isExpected(error)) world.violate(`an error from inside: ${error.stack}`);
        end = error;
      }
      if (end === "over") break;
      failures = end !== undefined && process.alive ? failures + 1 : 0;
    }
    if (world.violation) throw world.violation;
    if (process === undefined) return;
    if (end === "over") world.counts.finished++;
    await this.#check(end);
    if (world.violation) throw world.violation;
  }

  /** What the thread says in the end. @param {any} end */
  async #check(end) {
    const { world, plan } = this;
    const late = world.grants.filter(({ isSure, request }) => isSure && !request.isUsed);
    if (plan.isCalm && end !== "over")
      world.violate(`it does not come to its end: ${end?.stack ?? "questions without end"}`);
    if (late.length > 0 && end === "over")
      world.violate(`"${late[0].name}" was approved with ${late[0].text} and did not run`);
    const reader = this.#spawn();
    const { values } = await reader.agent.getState(this.config());
    const ids = plan.rounds.flat().map(({ id }) => id);
    if (
      !FAITHFUL.includes(plan.wrapper.kind) ||
      ids.includes(undefined) ||
      new Set(ids).size < ids.length
    )
      return;
    for (const message of values?.messages ?? []) {
      if (message.type !== "tool" || !NOT_RUN.test(message.content)) continue;
      const ran = world.runs.find(
        ({ id, thread }) => id === message.tool_call_id && thread === THREAD,
      );
      if (ran !== undefined)
        world.violate(`"${ran.name}" ran, and the model was told: ${message.content}`);
    }
  }
}

/**
 * Runs the program of a seed. Rejects with a Violation that has `plan` and `trace`.
 * @param {number} seed
 * @param {(plan: any) => any} [change] of the plan
 */
export async function playSeed(seed, change = (plan) => plan) {
  const plan = change(makePlan(makeRandom(seed)));
  const play = new Play(seed, plan);
  try {
    await play.run();
  } catch (error) {
    throw Object.assign(error, { plan, trace: play.world.trace });
  }
  return play.world.counts;
}
