// SPDX-License-Identifier: MIT
"use client";
import { useChat } from "@ai-sdk/react";
import {
  type UIMessage,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
} from "ai";

interface Props {
  id: string;
  messages: UIMessage[];
  resume: boolean;
}

export function Chat({ id, messages, resume }: Props) {
  const chat = useChat({
    id,
    messages,
    resume,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const isBusy = chat.status === "submitted" || chat.status === "streaming";

  // A run goes on without its connection, so that it is stopped by a request of its own.
  const stop = () => {
    void chat.stop();
    void fetch(`/api/chat/${id}/stream`, { method: "DELETE" });
  };
  const send = (form: FormData) => void chat.sendMessage({ text: String(form.get("text")) });
  const answer = (approval: string, approved: boolean) =>
    void chat.addToolApprovalResponse({ id: approval, approved });

  return (
    <main data-loading={isBusy}>
      {chat.messages.map((message) => (
        <article key={message.id} className={message.role}>
          <b>{message.role}</b>
          {message.parts.map((part, at) => {
            if (part.type === "text") return <p key={at}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            return (
              <p key={part.toolCallId} className={part.state}>
                {getToolName(part)} {JSON.stringify(part.input)} {String(part.output ?? "")}{" "}
                {part.state === "approval-requested" && message === chat.messages.at(-1) && (
                  <>
                    <button type="button" onClick={() => answer(part.approval.id, true)}>
                      Approve
                    </button>
                    <button type="button" onClick={() => answer(part.approval.id, false)}>
                      Reject
                    </button>
                  </>
                )}
              </p>
            );
          })}
        </article>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form action={send}>
        <input name="text" placeholder="Order 3 teapots" />
        <button type="submit">Send</button>
        <button type="button" disabled={!isBusy} onClick={stop}>
          Stop
        </button>
      </form>
    </main>
  );
}
