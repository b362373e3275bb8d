// SPDX-License-Identifier: MIT
// An agent, its server and its threads in one tab; LangChain's hook for React shows them.
import { useStream } from "@langchain/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { tool } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";

const placeOrder = tool(
  ({ item, quantity }: { item: string; quantity: number }) => `${quantity} x ${item}`,
  {
    name: "place_order",
    description: "Places an order for a quantity of an item.",
    schema: {
      type: "object",
      properties: { item: { type: "string" }, quantity: { type: "integer" } },
      required: ["item", "quantity"],
    },
    approval: "ask",
  },
);
const agent = createReactAgent({ llm: new DemoModel(), tools: [placeOrder] });
const saver = new IdbfsSaver({ prefix: "chat" });
const { fetch } = createServer({ graphs: { agent }, saver, store: new SaverStore(saver) });
const options = {
  assistantId: "agent",
  apiUrl: "http://weft.local",
  fetch,
  callerOptions: { fetch },
};

function Chat() {
  const [threadId, setThreadId] = useState(() => localStorage.getItem("thread"));
  const chat = useStream({ ...options, threadId, onThreadId: keep });

  function keep(id: string) {
    localStorage.setItem("thread", id);
    setThreadId(id);
  }
  const send = (form: FormData) =>
    void chat.submit({ messages: [{ type: "human", content: String(form.get("text")) }] });
  const answer = (interruptId: string, type: "approve" | "reject") =>
    void chat.respond({ decisions: [{ type }] }, { interruptId });

  return (
    <main>
      {chat.messages.map((message) => (
        <p key={message.id}>
          <b>{message.type}</b> {message.text || JSON.stringify((message as any).tool_calls)}
        </p>
      ))}
      {chat.interrupts.map(({ id = "", value }) => (
        <p key={id}>
          {JSON.stringify((value as any).action_requests[0].args)}{" "}
          <button type="button" onClick={() => answer(id, "approve")}>
            Approve
          </button>
          <button type="button" onClick={() => answer(id, "reject")}>
            Reject
          </button>
        </p>
      ))}
      <form action={send}>
        <input name="text" placeholder="Order 3 teapots" />
        <button type="submit">Send</button>
        <button type="button" disabled={!chat.isLoading} onClick={() => void chat.stop()}>
          Stop
        </button>
      </form>
    </main>
  );
}

createRoot(document.getElementById("root")!).render(<Chat />);
