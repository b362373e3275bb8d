// SPDX-License-Identifier: MIT
// A page of LangGraph's own hook for React, `useStream`, over the studio's engine: the same graph,
// the same threads, in this tab. Approvals are left to the studio, whose card sees what was read.
import { useStream } from "@langchain/langgraph-sdk/react";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { reveal } from "../studio/reveal.js";
import { Engine } from "../worker/engine.js";

/** @typedef {{ name: string, args: Record<string, unknown> }} ActionRequest */
/** @typedef {{ action_requests?: ActionRequest[] }} Question */
/** @typedef {import("@langchain/langgraph-sdk").Message} Message */

const GRAPH = "orders";
const STORY = "Please order 3 teapots";
const engine = new Engine();

function Chat() {
  const [thread, setThread] = useState(() => new URLSearchParams(location.search).get("thread"));
  const [text, setText] = useState(STORY);
  const chat = useStream({
    apiUrl: "http://weft.local",
    callerOptions: { fetch: /** @type {typeof fetch} */ (engine.server.fetch) },
    assistantId: GRAPH,
    threadId: thread,
    onThreadId: (id) => {
      history.replaceState(null, "", `?thread=${encodeURIComponent(id)}`);
      setThread(id);
    },
    fetchStateHistory: { limit: 100 },
    reconnectOnMount: true,
  });
  const send = (/** @type {{ preventDefault: () => void }} */ event) => {
    event.preventDefault();
    if (text.trim() === "" || chat.isLoading) return;
    chat.submit({ messages: [{ type: "human", content: text }] }, { streamResumable: true });
    setText("");
  };
  const waits = chat.interrupts.flatMap(({ id, value }) =>
    id && thread && value ? [{ id, thread, actions: actionsOf(value) }] : [],
  );
  return h(
    "main",
    { "data-loading": chat.isLoading },
    h("ol", { className: "messages" }, chat.messages.filter(isShown).map(messageView)),
    waits.map(questionView),
    chat.error == null ? null : h("p", { role: "alert" }, visible(messageOf(chat.error))),
    h(
      "form",
      { onSubmit: send },
      h("input", {
        "aria-label": "Message",
        value: text,
        onChange: (/** @type {any} */ event) => setText(event.target.value),
      }),
      chat.isLoading
        ? h("button", { type: "button", onClick: () => chat.stop() }, "Stop")
        : h("button", { type: "submit", className: "primary" }, "Send"),
    ),
    thread === null
      ? null
      : h(
          "p",
          null,
          h(
            "a",
            { href: `./#/work/${GRAPH}/${encodeURIComponent(thread)}` },
            "The same thread in the studio",
          ),
        ),
  );
}

/** @param {Message} message */
const isShown = ({ content }) => textOf(content) !== "";

/** @param {Message} message */
function messageView({ id, type, content }) {
  const who = type === "human" ? "You" : type === "tool" ? "Tool" : "Agent";
  return h("li", { key: id, className: type }, h("b", null, who), h("p", null, textOf(content)));
}

/** @param {{ id: string, thread: string, actions: ActionRequest[] }} question */
function questionView({ id, thread, actions }) {
  const address = ["./#/inbox", thread, id].map((part, at) =>
    at === 0 ? part : encodeURIComponent(part),
  );
  return h(
    "section",
    { key: id, className: "question", "aria-label": "A call waits for approval" },
    actions.map(({ name, args }, at) =>
      h("pre", { key: at }, visible(`${name} ${JSON.stringify(args, null, 2)}`)),
    ),
    h("a", { className: "button primary", href: address.join("/") }, "Decide in the studio"),
  );
}

/** @param {unknown} content of a message: text, or parts of it */
function textOf(content) {
  const parts = Array.isArray(content) ? content : [{ text: content }];
  return visible(parts.map((part) => (typeof part?.text === "string" ? part.text : "")).join(""));
}

/** @param {unknown} value of a question @returns {ActionRequest[]} */
function actionsOf(value) {
  const { action_requests: actions } = /** @type {Question} */ (value);
  return Array.isArray(actions) ? actions : [];
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** The text, its hidden characters spelled out. @param {string} text */
const visible = (text) =>
  reveal(text)
    .map(({ text: part }) => part)
    .join("");

engine.addEventListener("state", () => {
  if (engine.state !== "ready" || engine.isKept) return;
  const notice = Object.assign(document.createElement("p"), { role: "alert" });
  notice.textContent = "This browser gives the page no storage: threads end with this tab.";
  document.body.prepend(notice);
});

createRoot(/** @type {HTMLElement} */ (document.getElementById("app"))).render(h(Chat));
