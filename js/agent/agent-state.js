// SPDX-License-Identifier: MIT
// Joins the state of an agent: the conversation, the agent's own schema and those of its
// middlewares. Keys that begin with "_" are private: neither input nor output. Does not depend on
// nodes.
import { checkArgument } from "../base/check-arguments.js";
import { MessagesAnnotation, readSchema } from "../state/annotation.js";
import { LastValue, UntrackedValueChannel } from "../state/channels.js";
import { fieldChecks } from "../state/field-checks.js";
import { isStandardSchema, schemaDefault } from "../state/standard-schema.js";
import { MessagesValue, StateSchema } from "../state/state-schema.js";
import { isStateSchema } from "../state/state-marks.js";
import { isZodObject, zodFields } from "../state/zod.js";
import { metas } from "../state/zod-meta.js";

/** @typedef {import("../state/channels.js").BaseChannel} BaseChannel */
/** @typedef {import("../state/annotation.js").Checks} Checks */
/**
 * One key of the state. `field`: its schema, if it has one; `checks`: those of its part.
 * @typedef {{ channel: BaseChannel, field?: unknown, checks?: Checks }} Key
 */
/** @typedef {ReadonlyMap<string, Key>} Keys */

/** The key under which a hook leaves its jump for the route behind it; never saved. */
export const JUMP = "jumpTo";
/** The key of the answer in the form that was asked for. */
const ANSWER = "structuredResponse";

/** A state of keys from several schemas of any form. */
class JoinedSchema extends StateSchema {
  #keys;
  #isAnswering;

  /**
   * @param {Keys} keys
   * @param {boolean} [isAnswering] is it the input of an agent whose answer has a form?
   */
  constructor(keys, isAnswering = false) {
    super(
      Object.fromEntries(
        [...keys].flatMap(([key, { field }]) => (field === undefined ? [] : [[key, field]])),
      ),
    );
    this.#keys = keys;
    this.#isAnswering = isAnswering;
  }

  getChannels() {
    return Object.fromEntries([...this.#keys].map(([key, { channel }]) => [key, channel]));
  }

  getChannelKeys() {
    return [...this.#keys.keys()];
  }

  getAllKeys() {
    return this.getChannelKeys();
  }

  /**
   * Parses an input. It begins a turn, which has no structured answer yet: that of the turn before
   * is cleared.
   * @param {unknown} data
   * @returns {Promise<unknown>} a copy with its keys parsed
   */
  async validateInput(data) {
    if (typeof data !== "object" || data === null) return data;
    /** @type {Record<string, unknown>} */
    const checked = this.#isAnswering ? { [ANSWER]: undefined, ...data } : { ...data };
    for (const [key, value] of Object.entries(data)) checked[key] = await this.#check(key, value);
    return checked;
  }

  /** @returns {Checks} */
  get _checks() {
    const all = (/** @type {unknown} */ input) => this.validateInput(input);
    return { all, some: all, field: (key, value) => this.#check(key, value) };
  }

  /** @param {string} key @param {unknown} value */
  #check(key, value) {
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
    const initial = isZod && channel.initialValueFactory === undefined && schemaDefault(field);
    return [
      key,
      {
        channel: initial && channel instanceof LastValue ? startingWith(initial) : channel,
        field,
        checks:
          isZod && isStandardSchema(field) && !metas.has(field) ? fieldChecks({ fields }) : checks,
      },
    ];
  });
}

/** @param {() => unknown} initial */
function startingWith(initial) {
  return initial() === undefined ? new LastValue() : new LastValue(initial);
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
      ["messages", { channel: MessagesAnnotation.spec.messages, field: MessagesValue }],
      [JUMP, { channel: new UntrackedValueChannel({ guard: false }) }],
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
