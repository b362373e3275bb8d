// SPDX-License-Identifier: MIT
/** Channels of writes that are no values. */
export declare const ERROR: "__error__";
export declare const INTERRUPT: "__interrupt__";
export declare const RESUME: "__resume__";
export declare const SCHEDULED: "__scheduled__";
/** The channel of pending Sends. */
export declare const TASKS: "__pregel_tasks";
/** A UUID of version 5. @param namespace a UUID; another text is a TypeError */
export declare function uuid5(name: string, namespace: string): string;
