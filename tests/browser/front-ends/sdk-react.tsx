// SPDX-License-Identifier: MIT
// A chat with `useStream` of @langchain/langgraph-sdk/react. The agent's server is in the tab, its
// threads are in IndexedDB.
import { type Message } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { makeAgent } from "./agent.ts";

interface State extends Record<string, unknown> {
  messages: Message[];
}
interface Question {
  action_requests: { name: string; args: Record<string, unknown> }[];
}

const saver = new IdbfsSaver({ prefix: "sdk-react" });
const server = createServer({
  graphs: { agent: makeAgent() },
  saver,
  store: new SaverStore(saver),
});

function Chat() {
  const [threadId, setThreadId] = useState(() => sessionStorage.getItem("thread"));
  const [text, setText] = useState("");
  const chat = useStream<State, { InterruptType: Question }>({
    apiUrl: "http://weft.local",
    callerOptions: { fetch: server.fetch },
    assistantId: "agent",
    threadId,
    onThreadId: (id) => {
      sessionStorage.setItem("thread", id);
      setThreadId(id);
    },
    fetchStateHistory: { limit: 100 },
    reconnectOnMount: true,
  });
  const send = () =>
    chat.submit({ messages: [{ type: "human", content: text }] }, { streamResumable: true });
  const answer = (id: string, type: string) =>
    chat.submit(undefined, { command: { resume: { [id]: { decisions: [{ type }] } } } });

  return (
    <main data-loading={chat.isLoading}>
      {chat.messages.map((message) => {
        const seen = chat.getMessagesMetadata(message);
        const { branch = "", branchOptions = [] } = seen ?? {};
        const checkpoint = seen?.firstSeenState?.parent_checkpoint;
        return (
          <article key={message.id} className={message.type}>
            <p>{message.content as string}</p>
            {message.type === "ai" && (
              <button type="button" onClick={() => chat.submit(undefined, { checkpoint })}>
                Again
              </button>
            )}
            {branchOptions.map((option, at) => (
              <button
                type="button"
                key={option}
                disabled={option === branch}
                onClick={() => chat.setBranch(option)}
              >
                Branch {at + 1}
              </button>
            ))}
          </article>
        );
      })}
      {chat.interrupts.map(({ id = "", value, when }) =>
        value ? (
          <section key={id}>
            <p>{JSON.stringify(value.action_requests[0].args)}</p>
            <button type="button" onClick={() => answer(id, "approve")}>
              Approve
            </button>
            <button type="button" onClick={() => answer(id, "reject")}>
              Reject
            </button>
          </section>
        ) : (
          <button type="button" key={when} onClick={() => chat.submit(undefined)}>
            Go on
          </button>
        ),
      )}
      {chat.error != null && <p role="alert">{String(chat.error)}</p>}
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={send}>
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
