// SPDX-License-Identifier: MIT
// Serves: states written with zod 4 and zod 3, and StateSchema, infer as in LangGraph. Needs zod;
// the package does not.
import { z } from "zod";
import * as mini from "zod/mini";
import * as miniOfFour from "zod/v4-mini";
import { z as z3 } from "zod/v3";
import {
  MessagesValue,
  MessagesZodMeta,
  MessagesZodState,
  OverwriteValue,
  ReducedValue,
  START,
  StateGraph,
  StateSchema,
} from "weftgraph";
import { registry } from "weftgraph/zod";
import { BaseMessage } from "@langchain/core/messages";
import { expectType } from "./expect.js";

const four = new StateGraph(
  z.object({ name: z.string(), size: z.number().default(1), list: z.array(z.string()).optional() }),
)
  .addNode("a", (state) => {
    expectType<string>()(state.name);
    expectType<number>()(state.size);
    expectType<string[] | undefined>()(state.list);
    return { size: 2 };
  })
  .addEdge(START, "a")
  .compile();
// @ts-expect-error the wrong type for a field
new StateGraph(z.object({ name: z.string() })).addNode("a", () => ({ name: 4 }));

const three = new StateGraph(z3.object({ name: z3.string(), size: z3.number() })).addNode(
  "a",
  (state) => {
    expectType<number>()(state.size);
    return { name: "x" };
  },
);

const schema = new StateSchema({
  messages: MessagesValue,
  name: z.string(),
  words: new ReducedValue(
    z.array(z.string()).default(() => []),
    { inputSchema: z.string(), reducer: (left, right) => left.concat(right) },
  ),
});
expectType<string[]>()(schema.State.words);
expectType<BaseMessage[]>()(schema.State.messages);
expectType<string | OverwriteValue<string[]> | undefined>()(schema.Update.words);
const fields = new StateGraph(schema)
  .addNode("a", (state) => {
    expectType<string>()(state.name);
    return { words: "next" };
  })
  .addEdge(START, "a")
  .compile();

const chat = new StateGraph(
  MessagesZodState.extend({ calls: z3.number().optional() }).merge(z3.object({ who: z3.string() })),
)
  .addNode("a", (state) => {
    expectType<number | undefined>()(state.calls);
    expectType<BaseMessage[]>()(state.messages);
    return { calls: (state.calls ?? 0) + 1, messages: { role: "ai", content: state.who } };
  })
  .addEdge(START, "a")
  .compile();
// @ts-expect-error no such field
new StateGraph(MessagesZodState.omit({ messages: true })).addNode("a", (state) => state.messages);

// Zod mini takes the registry; the fields of MessagesZodState stand in objects of zod 4 and mini.
new StateGraph(
  miniOfFour.object({
    messages: miniOfFour.custom<BaseMessage[]>().register(registry, MessagesZodMeta),
  }),
).addNode("a", (state) => {
  expectType<BaseMessage[]>()(state.messages);
  return { messages: "x" };
});
new StateGraph(
  mini.object({ messages: mini.custom<BaseMessage[]>().register(registry, MessagesZodMeta) }),
).addNode("a", () => ({ messages: "x" }));
for (const build of [z.object, mini.object]) build({ ...MessagesZodState.shape });
new StateGraph(z.object({ ...MessagesZodState.shape, size: z.number() })).addNode("a", (state) => {
  expectType<BaseMessage[]>()(state.messages);
  expectType<number>()(state.size);
  return { messages: "x" };
});

async function use() {
  expectType<string>()((await four.invoke({ name: "x" })).name);
  expectType<string>()((await chat.invoke({ messages: "x", who: "y" })).who);
  expectType<string[]>()((await fields.invoke({ name: "x", words: "w" })).words);
}
void [use, three];
