// SPDX-License-Identifier: MIT
// Checks a graph's input and its nodes' writes by a zod object: fields are parsed by objects of the
// same kind with fewer fields. Loaded by the first call with something to check. Does not depend on
// runs.
import { isOverwrite, overwriteValue, overwriting } from "../base/constants.js";
import { metas } from "./zod-meta.js";
import { zodFields, zodParse } from "./zod.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, unknown>} Fields */

const REFINED =
  "Cannot overwrite keys on object schemas containing refinements. Use `.safeExtend()` instead.";

/**
 * Makes an object of the same kind with other fields.
 * @param {Value} schema
 * @param {Fields} shape
 */
export function withFields(schema, shape) {
  const definition = schema._zod?.def;
  if (definition === undefined)
    return new schema.constructor({ ...schema._def, shape: () => shape, unknownKeys: "strip" });
  if (definition.checks?.length > 0) throw new Error(REFINED);
  return new schema._zod.constr({ ...definition, shape });
}

/**
 * Does a missing field get a value? In zod 3 it does not, if the field may be missing.
 * @param {Value} field
 */
function fillsIn({ _zod }) {
  return (
    _zod?.optin === "defaulted" || _zod?.def.type === "default" || _zod?.def.type === "prefault"
  );
}

/**
 * Makes the parsers of a graph's input and its nodes' updates.
 * @param {unknown} schema
 * @returns {import("./annotation.js").Checks}
 */
export function zodChecks(schema) {
  const fields = zodFields(schema);
  /** @type {Map<string, unknown>} */
  const made = new Map();
  /** Returns a part of the schema, made once. @param {string} name @param {() => Fields} pick */
  const part = (name, pick) => {
    if (!made.has(name)) made.set(name, withFields(schema, pick()));
    return made.get(name);
  };
  /** @type {Fields | undefined} */
  let writable;
  const written = () =>
    (writable ??= Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [
        key,
        metas.get(field)?.reducer?.schema ?? field,
      ]),
    ));
  return {
    all: (input) => zodParse(part("", written), input),
    some(input) {
      if (typeof input !== "object" || input === null || Array.isArray(input))
        return zodParse(part("", written), input);
      const taken = written();
      const without = Object.keys(taken).filter(
        (key) => input[key] === undefined && !fillsIn(taken[key]),
      );
      if (without.length === 0) return zodParse(part("", written), input);
      const given = { ...input };
      for (const key of without) delete given[key];
      const parser = part(JSON.stringify(without), () =>
        Object.fromEntries(Object.entries(taken).filter(([key]) => !without.includes(key))),
      );
      const parsed = zodParse(parser, given);
      for (const key of without) if (Object.hasOwn(input, key)) parsed[key] = undefined;
      return parsed;
    },
    field(key, value) {
      if (!Object.hasOwn(fields, key) || (value === undefined && !fillsIn(written()[key])))
        return value;
      if (!isOverwrite(value))
        return zodParse(
          part(`=${key}`, () => ({ [key]: written()[key] })),
          { [key]: value },
        )[key];
      return overwriting(
        zodParse(
          part(`!${key}`, () => ({ [key]: fields[key] })),
          { [key]: overwriteValue(value) },
        )[key],
      );
    },
  };
}
