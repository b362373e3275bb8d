// SPDX-License-Identifier: MIT
// Knows: zod objects of versions 3, 4 and mini as states, by shape: which channels they mean, and how input and updates
// are parsed. Fields are parsed by objects of the same kind with fewer fields. Must not know: graphs, runs.
import { isOverwrite, overwriteValue, overwriting } from "../constants.js";
import { BinaryOperatorAggregate, LastValue } from "./channels.js";
import { schemaDefault } from "./standard-schema.js";
import { metas } from "./zod-meta.js";

const REFINED = "Cannot overwrite keys on object schemas containing refinements. Use `.safeExtend()` instead.";

/** @typedef {Record<string, any>} Fields */

/** @param {any} value @returns {boolean} */
export function isZodObject(value) {
  return value?._zod?.def?.type === "object" || value?._def?.typeName === "ZodObject";
}

/** @param {any} schema @returns {Fields} */
export function zodFields(schema) {
  return schema._zod?.def.shape ?? schema.shape;
}

/** @param {any} schema @param {Map<object, import("./zod-meta.js").Meta>} [said] @returns {Record<string, import("./channels.js").BaseChannel>} */
export function zodChannels(schema, said = metas) {
  return Object.fromEntries(Object.entries(zodFields(schema)).map(([key, field]) => [key, channelOf(field, said.get(field))]));
}

/** @param {any} field @param {import("./zod-meta.js").Meta | undefined} meta */
function channelOf(field, meta) {
  if (meta?.reducer === undefined) return new LastValue(meta?.default);
  return new BinaryOperatorAggregate(meta.reducer.fn, meta.default ?? schemaDefault(field));
}

/**
 * An object of the same kind with other fields.
 * @param {any} schema
 * @param {Fields} shape
 */
export function withFields(schema, shape) {
  const definition = schema._zod?.def;
  if (definition === undefined) return new schema.constructor({ ...schema._def, shape: () => shape, unknownKeys: "strip" });
  if (definition.checks?.length > 0) throw new Error(REFINED);
  return new schema._zod.constr({ ...definition, shape });
}

/**
 * What a schema makes of a value. Its error is that of zod's core, as LangGraph calls it.
 * @param {any} schema
 * @param {any} value
 */
export function zodParse(schema, value) {
  try {
    return schema.parse(value);
  } catch (error) {
    const { name } = /** @type {Error} */ (error);
    if (schema._zod !== undefined && name === "ZodError") /** @type {Error} */ (error).name = "$ZodError";
    throw error;
  }
}

/** Does a missing field get a value? Of version 3 it does not, once it may be missing. @param {any} field */
function fillsIn({ _zod }) {
  return _zod?.optin === "defaulted" || _zod?.def.type === "default" || _zod?.def.type === "prefault";
}

/**
 * How the input of a graph and the updates of its nodes are parsed.
 * @param {any} schema
 * @returns {import("./annotation.js").Checks}
 */
export function zodChecks(schema) {
  const fields = zodFields(schema);
  /** @type {Map<string, any>} */
  const made = new Map();
  /** A part of the schema, made once. @param {string} name @param {() => Fields} pick */
  const part = (name, pick) => {
    if (!made.has(name)) made.set(name, withFields(schema, pick()));
    return made.get(name);
  };
  /** @type {Fields | undefined} */
  let writable;
  const written = () => (writable ??= Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, metas.get(field)?.reducer?.schema ?? field])));
  return {
    all: (input) => zodParse(part("", written), input),
    some(input) {
      if (typeof input !== "object" || input === null || Array.isArray(input)) return zodParse(part("", written), input);
      const taken = written();
      const without = Object.keys(taken).filter((key) => input[key] === undefined && !fillsIn(taken[key]));
      if (without.length === 0) return zodParse(part("", written), input);
      const given = { ...input };
      for (const key of without) delete given[key];
      const parser = part(JSON.stringify(without), () => Object.fromEntries(Object.entries(taken).filter(([key]) => !without.includes(key))));
      const parsed = zodParse(parser, given);
      for (const key of without) if (Object.hasOwn(input, key)) parsed[key] = undefined;
      return parsed;
    },
    field(key, value) {
      if (!Object.hasOwn(fields, key) || (value === undefined && !fillsIn(written()[key]))) return value;
      if (!isOverwrite(value)) return zodParse(part(`=${key}`, () => ({ [key]: written()[key] })), { [key]: value })[key];
      return overwriting(zodParse(part(`!${key}`, () => ({ [key]: fields[key] })), { [key]: overwriteValue(value) })[key]);
    },
  };
}
