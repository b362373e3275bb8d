// SPDX-License-Identifier: MIT
// A chat with `useChat` of @ai-sdk/react. Its transport is a graph in the same tab, whose threads
// are in IndexedDB.
import { useChat } from "@ai-sdk/react";
import { isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { WeftChatTransport, toUIMessages } from "weftgraph/ai-sdk";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { makeAgent } from "./agent.ts";

const graph = makeAgent(new IdbfsSaver({ prefix: "ai-sdk-react" }));
const transport = new WeftChatTransport({ graph });
const id = (sessionStorage.chat ??= crypto.randomUUID());
const messages = toUIMessages(await graph.getState({ configurable: { thread_id: id } }));

function Chat() {
  const [text, setText] = useState("");
  const chat = useChat({
    id,
    messages,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const isBusy = chat.status === "submitted" || chat.status === "streaming";

  return (
    <main data-loading={isBusy}>
      {chat.messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, at) => {
            if (part.type === "text") return <p key={at}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            const { approval, state, toolCallId } = part;
            const answer = (approved: boolean) =>
              chat.addToolApprovalResponse({ id: approval!.id, approved });
            return (
              <section key={toolCallId} className={state}>
                {JSON.stringify(part.input)} {String(part.output ?? "")}
                {state === "approval-requested" && message === chat.messages.at(-1) && (
                  <>
                    <button type="button" onClick={() => answer(true)}>
                      Approve
                    </button>
                    <button type="button" onClick={() => answer(false)}>
                      Reject
                    </button>
                  </>
                )}
              </section>
            );
          })}
        </article>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={() => chat.sendMessage({ text })}>
        Send
      </button>
      <button type="button" onClick={() => chat.stop()}>
        Stop
      </button>
      <button type="button" onClick={() => chat.regenerate()}>
        Again
      </button>
    </main>
  );
}

createRoot(document.getElementById("root")!).render(<Chat />);
