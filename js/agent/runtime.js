// SPDX-License-Identifier: MIT
// Makes what a middleware knows of its run: context, store, thread, stream, interrupt, abort. Does
// not depend on hooks or on how they run.
import { interrupt } from "../calls/interrupt.js";
import { readSchema } from "../state/annotation.js";
import { isStandardSchema } from "../state/standard-schema.js";
import { isZodObject, zodFields, zodParse } from "../state/zod.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */

/**
 * Makes a middleware's runtime. What costs something is made when it is read.
 * @param {Config | undefined} config of the node
 * @param {unknown} [contextSchema] of the middleware
 */
export function runtimeOf(config, contextSchema) {
  return Object.freeze({
    get context() {
      return contextFor(config?.context, contextSchema);
    },
    get store() {
      return config?.store;
    },
    get configurable() {
      return config?.configurable;
    },
    get writer() {
      return config?.writer;
    },
    get interrupt() {
      return config?.interrupt ?? interrupt;
    },
    get signal() {
      return config?.signal;
    },
  });
}

/**
 * Returns the part of the context that a schema describes, with its defaults.
 * @param {unknown} context
 * @param {unknown} schema
 */
function contextFor(context, schema) {
  if (schema === undefined || schema === null) return context ?? {};
  if (isZodObject(schema)) return zodParse(schema, pick(context, zodFields(schema)));
  const channels = readSchema(schema)?.channels;
  if (channels !== undefined) return pick(context, channels);
  if (!isStandardSchema(schema)) return context;
  const result = schema["~standard"].validate(context);
  if (result.issues !== undefined)
    throw new Error(`The context does not fit its schema: ${JSON.stringify(result.issues)}`);
  return result.value ?? context;
}

/** @param {unknown} context @param {object} fields */
function pick(context, fields) {
  const given = /** @type {Record<string, unknown>} */ (context ?? {});
  return Object.fromEntries(
    Object.keys(fields).flatMap((key) => (Object.hasOwn(given, key) ? [[key, given[key]]] : [])),
  );
}
