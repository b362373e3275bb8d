// SPDX-License-Identifier: MIT
// What the documented programs take in place of a service.
export { ScriptedModel, call, drain, type Call } from "../scripted-model.mjs";

export const onThread = (name: string) => ({ configurable: { thread_id: name } });
