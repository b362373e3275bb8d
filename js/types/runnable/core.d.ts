// SPDX-License-Identifier: MIT
// Declares the types of @langchain/core's Runnables where it is installed, so that its prompts,
// sequences and helpers accept a graph. Without it the imported names are `any`.
// @ts-ignore
export type { Runnable as CoreRunnable } from "@langchain/core/runnables";
// @ts-ignore
export type { Graph as CoreGraph } from "@langchain/core/runnables/graph";
// @ts-ignore
export type { Callbacks as CoreCallbacks } from "@langchain/core/callbacks/manager";
// @ts-ignore
export type { IterableReadableStream as CoreStream } from "@langchain/core/utils/stream";
// @ts-ignore
export type { RunLogPatch as CorePatch } from "@langchain/core/tracers/log_stream";

/** Tests for `any`: true if the type is any. */
export type IsAny<Type> = { it: Type } extends { it: "nothing" } ? true : false;
