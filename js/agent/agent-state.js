// SPDX-License-Identifier: MIT
// Joins the state of an agent: the conversation, the agent's own schema and those of its
// middlewares. Keys that begin with "_" are private: neither input nor output. Does not depend on
// nodes.
import { checkArgument, isRecord } from "../base/check-arguments.js";
import { MessagesAnnotation, readSchema } from "../state/annotation.js";
import { BaseChannel, LastValue } from "../state/channels.js";
import { fieldChecks } from "../state/field-checks.js";
import { isStandardSchema, schemaDefault } from "../state/standard-schema.js";
import { MESSAGES_FIELD, StateSchema } from "../state/state-schema.js";
import { isStateSchema } from "../state/state-marks.js";
import { isZodObject, zodFields } from "../state/zod.js";
import { metas } from "../state/zod-meta.js";

/** @typedef {import("../state/annotation.js").Checks} Checks */
/**
 * One key of the state. `field`: what has its JSON Schema, if it has one; `checks`: of its part.
 * @typedef {{ channel: BaseChannel, field?: unknown, checks?: Checks }} Key
 */
/** @typedef {ReadonlyMap<string, Key>} Keys */

/** The key under which a hook leaves its jump for the route behind it; never saved. */
export const JUMP = "jumpTo";
/** The key of the answer in the form that was asked for. */
const ANSWER = "structuredResponse";

/** Keeps the last jump of a step, for the engine alone: it is never saved. */
class JumpChannel extends BaseChannel {
  /** @returns {import("../state/channels.js").ChannelKind} */
  get kind() {
    return "untracked";
  }

  get options() {
    return { guard: false };
  }
}

/** A state of keys from several schemas of any form. */
class JoinedSchema extends StateSchema {
  #keys;
  #isAnswering;

  /**
   * @param {Keys} keys
   * @param {boolean} [isAnswering] is it the input of an agent whose answer has a form?
   */
  constructor(keys, isAnswering = false) {
    super(Object.fromEntries([...keys].map(([key, { field }]) => [key, field])));
    this.#keys = keys;
    this.#isAnswering = isAnswering;
  }

  getChannels() {
    return Object.fromEntries([...this.#keys].map(([key, { channel }]) => [key, channel]));
  }

  /**
   * Parses an input. It begins a turn, which has no structured answer yet: that of the turn before
   * is cleared.
   * @param {unknown} data
   * @returns {Promise<unknown>} a copy with its keys parsed
   */
  async validateInput(data) {
    const checked = await super.validateInput(data);
    return this.#isAnswering && isRecord(checked) ? { [ANSWER]: undefined, ...checked } : checked;
  }

  /** @param {string} key @param {unknown} value */
  _check(key, value) {
    const checks = this.#keys.get(key)?.checks;
    return checks === undefined ? value : checks.field(key, value);
  }
}

/**
 * Reads a schema's keys. A key of a zod object begins with its default.
 * @param {unknown} definition @param {string} whose for the error text
 * @returns {[string, Key][]}
 */
function keysOf(definition, whose) {
  const schema = readSchema(definition);
  checkArgument(
    schema !== undefined,
    `createAgent(params): the stateSchema of ${whose} must be a zod object, a StateSchema or an Annotation.Root`,
  );
  const { channels, checks } = /** @type {import("../state/annotation.js").Schema} */ (schema);
  const isZod = isZodObject(definition);
  const fields = isZod ? zodFields(definition) : isStateSchema(definition) ? definition.fields : {};
  return Object.entries(channels).map(([key, channel]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const isBare = isZod && channel instanceof LastValue && !channel.initialValueFactory;
    const initial = isBare ? schemaDefault(field) : undefined;
    return [
      key,
      {
        channel: initial?.() === undefined ? channel : new LastValue(initial),
        field,
        checks:
          isZod && isStandardSchema(field) && !metas.has(field) ? fieldChecks({ fields }) : checks,
      },
    ];
  });
}

/** @param {string} key */
const isPrivate = (key) => key.startsWith("_");

/**
 * Joins the schemas of an agent.
 * @param {unknown} own the agent's `stateSchema`
 * @param {readonly import("./create-middleware.js").Middleware[]} middlewares
 * @param {boolean} isAnswering has its answer a form?
 * @returns {{ state: StateSchema, input: StateSchema, output: StateSchema }}
 */
export function joinState(own, middlewares, isAnswering) {
  /** @type {Map<string, Key>} */
  const keys = new Map(
    /** @type {[string, Key][]} */ ([
      ["messages", { channel: MessagesAnnotation.spec.messages, field: MESSAGES_FIELD }],
      [JUMP, { channel: new JumpChannel() }],
      [ANSWER, { channel: new LastValue() }],
    ]),
  );
  const add = (/** @type {unknown} */ definition, /** @type {string} */ whose) => {
    if (definition === undefined || definition === null) return;
    for (const [key, found] of keysOf(definition, whose))
      if (key !== "messages" && key !== JUMP) keys.set(key, found);
  };
  for (const { name, stateSchema } of middlewares) add(stateSchema, `middleware "${name}"`);
  add(own, "the agent");
  const shown = new Map([...keys].filter(([key]) => !isPrivate(key) && key !== JUMP));
  return {
    state: new JoinedSchema(keys),
    input: new JoinedSchema(shown, isAnswering),
    output: new JoinedSchema(shown),
  };
}
