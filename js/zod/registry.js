// SPDX-License-Identifier: MIT
// Implements LangGraph's registry of metadata for zod schemas, also as a registry of zod 4. Does
// not depend on graphs or runs.
import { metas, setMeta } from "../state/zod-meta.js";
import { withFields } from "../state/checks.js";
import { zodChannels, zodFields } from "../state/zod.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../state/zod-meta.js").Meta} Meta */
/**
 * @typedef {{ withReducerSchema?: boolean, withJsonSchemaExtrasAsDescription?: boolean, asPartial?:
 *   boolean }} Effects
 */

/** Prefix of a field's extras in its description. */
export const META_EXTRAS_DESCRIPTION_PREFIX = "lg:";

/** Stores what zod cannot express: reducer, initial value, extras of the JSON Schema. */
export class SchemaMetaRegistry {
  /** @type {Map<Value, Meta>} */
  _map = new Map();
  /** @type {Map<string, Map<unknown, unknown>>} */
  _extensionCache = new Map();

  /** @param {unknown} schema */
  get(schema) {
    return this._map.get(schema);
  }

  /** @param {unknown} schema @param {(meta: Meta | undefined) => Meta} predicate */
  extend(schema, predicate) {
    this._map.set(schema, predicate(this.get(schema)));
  }

  /** @param {unknown} schema @returns {this} */
  remove(schema) {
    this._map.delete(schema);
    return this;
  }

  /** @param {unknown} schema */
  has(schema) {
    return this._map.has(schema);
  }

  /** @param {unknown} schema a zod object */
  getChannelsForSchema(schema) {
    return zodChannels(schema, this._map);
  }

  /**
   * Returns a copy of an object schema with fields for a graph's input, output or JSON Schema.
   * @param {unknown} schema a zod object
   * @param {Effects} effects
   */
  getExtendedChannelSchemas(schema, effects) {
    if (!Object.values(effects).some(Boolean)) return schema;
    const name = [
      effects.withReducerSchema,
      effects.withJsonSchemaExtrasAsDescription,
      effects.asPartial,
    ]
      .map(Boolean)
      .join();
    const made = this._extensionCache.get(name) ?? new Map();
    this._extensionCache.set(name, made);
    if (!made.has(schema)) made.set(schema, this.#extended(schema, effects));
    return made.get(schema);
  }

  /** @param {unknown} schema @param {Effects} effects */
  #extended(schema, effects) {
    const fields = Object.entries(zodFields(schema)).map(([key, field]) => {
      const meta = this.get(field);
      let shown = (effects.withReducerSchema && meta?.reducer?.schema) || field;
      const extra = effects.withJsonSchemaExtrasAsDescription ? meta?.jsonSchemaExtra : undefined;
      const said =
        field.description === undefined ? extra : { ...extra, description: field.description };
      if (extra !== undefined)
        shown = shown.describe(`${META_EXTRAS_DESCRIPTION_PREFIX}${JSON.stringify(said)}`);
      // zod mini has no such method.
      return [key, (effects.asPartial && shown.optional?.()) || shown];
    });
    return withFields(schema, Object.fromEntries(fields));
  }
}

/** The registry that graphs read. */
export const schemaMetaRegistry = /* @__PURE__ */ Object.assign(new SchemaMetaRegistry(), {
  _map: metas,
});

/** Presents the same registry as one of zod 4, for `schema.register(registry, meta)`. */
export class LanggraphZodMetaRegistry {
  /** @param {SchemaMetaRegistry} parent */
  constructor(parent) {
    this.parent = parent;
    this._map = parent._map;
    this._idmap = new Map();
  }

  /** @param {unknown} schema @param {Meta} meta @returns {this} */
  add(schema, meta) {
    this.parent.extend(schema, () => meta);
    return this;
  }

  /** @param {unknown} schema */
  get(schema) {
    return this.parent.get(schema);
  }

  /** @param {unknown} schema */
  has(schema) {
    return this.parent.has(schema);
  }

  /** @param {unknown} schema @returns {this} */
  remove(schema) {
    this.parent.remove(schema);
    return this;
  }

  /** @returns {this} */
  clear() {
    this._map.clear();
    return this;
  }
}

export const registry = /* @__PURE__ */ new LanggraphZodMetaRegistry(schemaMetaRegistry);

/**
 * Sets the metadata of a schema of either zod version.
 * @template T
 * @param {T} schema
 * @param {Meta} meta
 * @returns {T}
 */
export function withLangGraph(schema, meta) {
  if (
    meta.reducer !== undefined &&
    !(/** @type {Record<PropertyKey, unknown>} */ (schema).lg_reducer_schema)
  )
    Object.assign(/** @type {Record<PropertyKey, unknown>} */ (schema), {
      lg_reducer_schema: meta.reducer.schema ?? schema,
    });
  return setMeta(schema, meta);
}
