// SPDX-License-Identifier: MIT
// Defines the state of a conversation in the shape of zod 3, without zod: zod's own fields can be
// added to it, and its field works in an object of zod 3, 4 or mini. Does not depend on graphs.
import { messagesStateReducer } from "./messages-reducer.js";
import { setMeta } from "./zod-meta.js";

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ code: string, path: (string | number)[], message: string, [key: string]: unknown }}
 *   Issue
 */
/** @typedef {{ success: true, data: unknown } | { success: false, error: Value }} Parsed */

/** Metadata of a field of messages, for a registry of zod. */
export const MessagesZodMeta = {
  reducer: { fn: messagesStateReducer },
  jsonSchemaExtra: { langgraph_type: "messages" },
  default: () => [],
};

/** @param {Issue[]} issues */
function zodError(issues) {
  return Object.assign(new Error(JSON.stringify(issues, null, 2)), {
    name: "ZodError",
    issues,
    errors: issues,
  });
}

/** Members of zod's types that both kinds have. */
class Type {
  /** @param {Record<string, Value>} definition */
  constructor(definition) {
    this._def = definition;
    this["~standard"] = {
      version: 1,
      vendor: "zod",
      validate: (/** @type {unknown} */ value) => this.#validate(value),
    };
  }

  /** @param {unknown} value */
  #validate(value) {
    const parsed = this.safeParse(value);
    return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
  }

  /** @param {unknown} value @returns {Parsed} */
  safeParse(value) {
    return { success: true, data: value };
  }

  /** @param {unknown} value */
  parse(value) {
    const parsed = this.safeParse(value);
    if (!parsed.success) throw parsed.error;
    return parsed.data;
  }

  /** @param {unknown} value */
  async parseAsync(value) {
    return this.parse(value);
  }

  /** @param {unknown} value */
  async safeParseAsync(value) {
    return this.safeParse(value);
  }

  /**
   * Parses when zod calls it inside an object of its own.
   * @param {{ data: unknown, path: unknown[], parent: any }} input
   */
  _parse({ data, path, parent }) {
    const parsed = this.safeParse(data);
    if (parsed.success) return { status: "valid", value: parsed.data };
    for (const issue of parsed.error.issues)
      parent.common.issues.push({ ...issue, path: [...path, ...issue.path] });
    return { status: "aborted" };
  }

  optional() {
    return this;
  }

  isOptional() {
    return true;
  }

  isNullable() {
    return false;
  }

  /** @param {string} description @returns {this} */
  describe(description) {
    return new /** @type {new (definition: object) => this} */ (this.constructor)({
      ...this._def,
      description,
    });
  }

  get description() {
    return this._def.description;
  }
}

class AnyType extends Type {
  /** Members of zod 4's and mini's `any`, as far as their objects use them. */
  _zod = {
    def: { type: "any" },
    version: { major: 4, minor: 0, patch: 0 },
    traits: new Set(["$ZodType", "$ZodAny"]),
    bag: {},
    optin: "optional",
    optout: "optional",
    /** @param {unknown} payload */
    run: (payload) => payload,
    /** @param {unknown} payload */
    parse: (payload) => payload,
    toJSONSchema: () => ({}),
  };
}

class ObjectType extends Type {
  /** @returns {Record<string, Value>} */
  get shape() {
    return this._def.shape();
  }

  /** @param {Record<string, unknown>} shape @returns {ObjectType} */
  #with(shape) {
    return new ObjectType({ ...this._def, shape: () => shape });
  }

  /** @param {Value} value @returns {Parsed} */
  safeParse(value) {
    const received = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    if (received !== "object")
      return {
        success: false,
        error: zodError([
          {
            code: "invalid_type",
            expected: "object",
            received,
            path: [],
            message: `Expected object, received ${received}`,
          },
        ]),
      };
    /** @type {Issue[]} */
    const issues = [];
    /** @type {Record<string, unknown>} */
    const data = {};
    for (const [key, field] of Object.entries(this.shape)) {
      const parsed = field.safeParse(value[key]);
      if (!parsed.success)
        issues.push(
          ...parsed.error.issues.map((/** @type {Issue} */ issue) => ({
            ...issue,
            path: [key, ...issue.path],
          })),
        );
      else if (key in value || parsed.data !== undefined) data[key] = parsed.data;
    }
    return issues.length === 0
      ? { success: true, data }
      : { success: false, error: zodError(issues) };
  }

  /** @param {Record<string, unknown>} shape */
  extend(shape) {
    return this.#with({ ...this.shape, ...shape });
  }

  /** @param {{ shape: Record<string, unknown> }} other */
  merge(other) {
    return this.extend(other.shape);
  }

  /** @param {Record<string, unknown>} mask */
  pick(mask) {
    return this.#with(Object.fromEntries(Object.entries(this.shape).filter(([key]) => mask[key])));
  }

  /** @param {Record<string, unknown>} mask */
  omit(mask) {
    return this.#with(Object.fromEntries(Object.entries(this.shape).filter(([key]) => !mask[key])));
  }

  partial() {
    return this.#with(
      Object.fromEntries(Object.entries(this.shape).map(([key, field]) => [key, field.optional()])),
    );
  }

  strip() {
    return this;
  }
}

function makeState() {
  const messages = setMeta(new AnyType({ typeName: "ZodAny" }), MessagesZodMeta);
  return new ObjectType({
    typeName: "ZodObject",
    shape: () => ({ messages }),
    unknownKeys: "strip",
  });
}

/** The state of a conversation, as a zod object. */
export const MessagesZodState = /* @__PURE__ */ makeState();
