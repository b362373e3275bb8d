// SPDX-License-Identifier: MIT
// What the cases share.
import { tool } from "langchain";
import { z } from "zod";
import { call } from "../scripted-model.mjs";

export { ScriptedModel as Scripted, call, drain } from "../scripted-model.mjs";
export const calling = (...calls) => ({ content: "", calls });
export const saying = (content) => ({ content, calls: [] });

export const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "adds",
  schema: z.object({ a: z.number(), b: z.number() }),
});
export const mail = tool(async ({ to }) => `sent to ${to}`, {
  name: "mail",
  description: "mails",
  schema: z.object({ to: z.string() }),
});
export const adding = call("add", { a: 1, b: 2 }, "c1");

export const ask = (content = "go", id = "u1") => ({ messages: [{ role: "user", content, id }] });
export const onThread = { configurable: { thread_id: "t" } };
