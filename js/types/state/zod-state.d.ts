// SPDX-License-Identifier: MIT
// Declares states as zod objects, by their members: works without any version of zod.
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type { OverwriteValue } from "../base/common-types.js";
import type { IsAny } from "../runnable/core.js";
import type { BaseChannel, Messages } from "./state.js";
// Where zod is not installed these names are `any`.
// @ts-ignore
import type { ZodObject, ZodType, ZodTypeAny, ZodTypeDef } from "zod/v3";

// Exports only the declarations marked so.
export {};

/** A zod object of version 3 or 4. */
export type ZodObjectLike =
  | {
      readonly _zod: { readonly def: { readonly type: "object" }; input: any; output: any };
      readonly "~standard"?: any;
    }
  | { readonly shape: any; readonly _def: any; _input: any; _output: any };
type ZodOutput<Schema> = Schema extends { _zod: { output: infer Output } }
  ? Output
  : Schema extends { _output: infer Output }
    ? Output
    : any;
type ZodInput<Schema> = Schema extends { _zod: { input: infer Input } }
  ? Input
  : Schema extends { _input: infer Input }
    ? Input
    : any;
/** The fields of a zod object, by key. */
export type ZodShape<Schema> = Schema extends {
  readonly _zod: { readonly def: { readonly shape: Record<string, any> } };
}
  ? { [Key in keyof Schema["_zod"]["def"]["shape"]]: Schema["_zod"]["def"]["shape"][Key] }
  : Schema extends { readonly shape: Record<string, any> }
    ? { [Key in keyof Schema["shape"]]: Schema["shape"][Key] }
    : never;
/** A zod schema with a reducer. */
export type ReducedZodChannel<Schema, Reducer> = Schema & { lg_reducer_schema: Reducer };
/** The channels of a zod object. */
export type InteropZodToStateDefinition<Schema, Shape = ZodShape<Schema>> = {
  [Key in keyof Shape]: Shape[Key] extends { lg_reducer_schema: infer Reducer }
    ? BaseChannel<ZodOutput<Shape[Key]>, OverwriteValue<ZodOutput<Shape[Key]>> | ZodInput<Reducer>>
    : BaseChannel<ZodOutput<Shape[Key]>, ZodInput<Shape[Key]>>;
};
/** Metadata of a zod field: its reducer, its initial value, additions to its JSON Schema. */
export interface SchemaMeta<TValue = any, TUpdate = TValue> {
  jsonSchemaExtra?: {
    langgraph_nodes?: string[];
    langgraph_type?: "prompt" | "messages";
    [key: string]: unknown;
  };
  /** `schema`: schema of the writes, if it differs from the value's. */
  reducer?: { schema?: any; fn: (left: TValue, right: TUpdate) => TValue };
  default?: () => TValue;
}
/**
 * Metadata of a field of messages, for a registry of zod.
 * @example
 * ```ts
 * import { MessagesZodMeta, START, StateGraph } from "weftgraph";
 * import { withLangGraph } from "weftgraph/zod";
 * import { z } from "zod";
 *
 * const messages = withLangGraph(z.array(z.any()), MessagesZodMeta as any);
 * const graph = new StateGraph(z.object({ messages }))
 *   .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello" }] }))
 *   .addEdge(START, "answer")
 *   .compile();
 * const state = (await graph.invoke({ messages: [{ role: "user", content: "Hi" }] })) as any;
 * console.log(state.messages.length);
 * ```
 * ```text
 * 2
 * ```
 */
export const MessagesZodMeta: SchemaMeta<BaseMessage[], Messages>;
/** A zod 3 object with these fields, by its members. */
export interface MessagesZodObject<
  Shape extends Record<string, any>,
  Output = { [Key in keyof Shape]: ZodOutput<Shape[Key]> },
> {
  readonly shape: Shape;
  readonly _def: any;
  _input: { [Key in keyof Shape]: ZodInput<Shape[Key]> };
  _output: Output;
  /** @param shape schemas by key; one of the same key replaces the field */
  extend<More extends Record<string, any>>(
    shape: More,
  ): MessagesZodObject<Omit<Shape, keyof More> & More>;
  /**
   * @param other zod object whose fields are added
   * @param other.shape its schemas by key
   */
  merge<More extends Record<string, any>>(other: {
    readonly shape: More;
  }): MessagesZodObject<Omit<Shape, keyof More> & More>;
  /** @param mask the wanted keys, each with `true` */
  pick<Mask extends { [Key in keyof Shape]?: true }>(
    mask: Mask,
  ): MessagesZodObject<Pick<Shape, Extract<keyof Mask, keyof Shape>>>;
  /** @param mask the unwanted keys, each with `true` */
  omit<Mask extends { [Key in keyof Shape]?: true }>(
    mask: Mask,
  ): MessagesZodObject<Omit<Shape, keyof Mask>>;
  partial(): any;
  /**
   * @param value any value
   * @throws ZodError if it does not fit
   */
  parse(value: unknown): Output;
  /** @param value any value */
  safeParse(value: unknown): { success: true; data: Output } | { success: false; error: Error };
}
type OwnState = MessagesZodObject<{
  messages: ReducedZodChannel<
    { readonly _def: any; _input: BaseMessage[]; _output: BaseMessage[]; [member: string]: any },
    { _input: Messages }
  >;
}>;
type ZodFields = {
  messages: ReducedZodChannel<
    ZodType<BaseMessage[], ZodTypeDef, BaseMessage[]>,
    { _input: Messages }
  >;
};
/** Zod's own object; its `extend` and `merge` also accept fields of zod 4. */
type StateOfZod = ZodObject<
  ZodFields,
  "strip",
  ZodTypeAny,
  { messages: BaseMessage[] },
  { messages: BaseMessage[] }
> &
  Pick<OwnState, "extend" | "merge">;
/** The state of a conversation: an object of zod 3, or of its form without zod. */
export const MessagesZodState: IsAny<ZodType> extends true ? OwnState : StateOfZod;
