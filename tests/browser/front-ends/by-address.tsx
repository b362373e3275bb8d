// SPDX-License-Identifier: MIT
// A chat that knows an address and a graph's name alone, as agent-chat-ui does: both are in the
// page's own address.
import { type Message } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

interface State extends Record<string, unknown> {
  messages: Message[];
}
interface Question {
  action_requests: { name: string; args: Record<string, unknown> }[];
}

const given = new URLSearchParams(location.search);

function Chat() {
  const [threadId, setThreadId] = useState<string | null>(null);
  const [text, setText] = useState("");
  const chat = useStream<State, { InterruptType: Question }>({
    apiUrl: given.get("apiUrl") ?? "",
    assistantId: given.get("assistantId") ?? "",
    threadId,
    onThreadId: setThreadId,
    fetchStateHistory: true,
  });
  const answer = (id: string, type: string) =>
    chat.submit(undefined, { command: { resume: { [id]: { decisions: [{ type }] } } } });
  return (
    <main data-loading={chat.isLoading} data-thread={threadId}>
      {chat.messages.map(({ id, type, content }) => (
        <p key={id} className={type}>
          {content as string}
        </p>
      ))}
      {chat.interrupts.map(({ id = "", value }) => (
        <section key={id}>
          <p>{JSON.stringify(value?.action_requests[0].args)}</p>
          <button type="button" onClick={() => answer(id, "approve")}>
            Approve
          </button>
        </section>
      ))}
      {chat.error ? <p role="alert">{String(chat.error)}</p> : null}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button
        type="button"
        onClick={() => chat.submit({ messages: [{ type: "human", content: text }] })}
      >
        Send
      </button>
    </main>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(<Chat />);
