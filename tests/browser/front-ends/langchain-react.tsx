// SPDX-License-Identifier: MIT
// A chat with `useStream` of @langchain/react, which speaks protocol v2. The agent's server is in
// the tab, its threads are in IndexedDB.
import { useStream } from "@langchain/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { makeAgent } from "./agent.ts";

const saver = new IdbfsSaver({ prefix: "langchain-react" });
const server = createServer({
  graphs: { agent: makeAgent() },
  saver,
  store: new SaverStore(saver),
});
/** The hook makes a new client where this is a new object. */
const callerOptions = { fetch: server.fetch };

function Chat() {
  const [threadId, setThreadId] = useState(() => sessionStorage.getItem("thread"));
  const [text, setText] = useState("");
  const chat = useStream({
    apiUrl: "http://weft.local",
    fetch: server.fetch,
    callerOptions,
    assistantId: "agent",
    threadId,
    onThreadId: (id: string) => {
      sessionStorage.setItem("thread", id);
      setThreadId(id);
    },
  });
  const answer = (id: string, type: string) =>
    chat.respond({ decisions: [{ type }] }, { interruptId: id });

  return (
    <main data-loading={chat.isLoading}>
      {chat.messages.map((message) => (
        <p key={message.id} className={message.type}>
          {message.text}
        </p>
      ))}
      <ul>
        {chat.toolCalls.map((call) => (
          <li key={call.id}>
            {call.name} {JSON.stringify(call.input)} {call.status}
          </li>
        ))}
      </ul>
      {chat.interrupts.map(({ id = "", value }) => (
        <section key={id}>
          <p>{JSON.stringify((value as any).action_requests[0].args)}</p>
          <button type="button" onClick={() => answer(id, "approve")}>
            Approve
          </button>
          <button type="button" onClick={() => answer(id, "reject")}>
            Reject
          </button>
        </section>
      ))}
      {chat.error != null && <p role="alert">{String(chat.error)}</p>}
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <button
        type="button"
        onClick={() => chat.submit({ messages: [{ type: "human", content: text }] })}
      >
        Send
      </button>
      <button type="button" onClick={() => chat.stop()}>
        Stop
      </button>
    </main>
  );
}

function App() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      {isOpen && <Chat />}
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Leave" : "Return"}
      </button>
    </>
  );
}

createRoot(document.getElementById("root")!).render(<App />);
