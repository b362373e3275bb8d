// SPDX-License-Identifier: MIT
// A chat with assistant-ui, on its LangGraph runtime. The agent's server is in the tab.
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAuiState,
} from "@assistant-ui/react";
import {
  type LangChainMessage,
  unstable_createLangGraphStream,
  useLangGraphInterruptState,
  useLangGraphRuntime,
  useLangGraphSendCommand,
} from "@assistant-ui/react-langgraph";
import { Client } from "@langchain/langgraph-sdk";
import { createRoot } from "react-dom/client";
import { createServer } from "weftgraph/server";
import { makeAgent } from "./agent.ts";

const server = createServer({ graphs: { agent: makeAgent() } });
const client = new Client({
  apiUrl: "http://weft.local",
  callerOptions: { fetch: server.fetch },
});
const stream = unstable_createLangGraphStream({ client, assistantId: "agent" });

const Message = () => (
  <MessagePrimitive.Root>
    <MessagePrimitive.Parts components={{ Text, tools: { Fallback: Tool } }} />
  </MessagePrimitive.Root>
);
const Text = ({ text }: { text: string }) => <p>{text}</p>;
const Tool = ({ argsText, result }: { argsText: string; result?: unknown }) => (
  <pre>
    {argsText} {String(result ?? "")}
  </pre>
);

function Question() {
  // By its id, since a step can ask several questions. The types know neither ids nor such answers.
  const question = useLangGraphInterruptState() as any;
  const send = useLangGraphSendCommand() as (command: object) => Promise<void>;
  if (question === undefined) return null;
  const answer = (type: string) => send({ resume: { [question.id]: { decisions: [{ type }] } } });
  return (
    <section>
      <p>{JSON.stringify(question.value.action_requests[0].args)}</p>
      <button type="button" onClick={() => answer("approve")}>
        Approve
      </button>
      <button type="button" onClick={() => answer("reject")}>
        Reject
      </button>
    </section>
  );
}

function Chat() {
  const isRunning = useAuiState(({ thread }) => thread.isRunning);
  return (
    <ThreadPrimitive.Root data-loading={isRunning}>
      <ThreadPrimitive.Messages components={{ UserMessage: Message, AssistantMessage: Message }} />
      <Question />
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input />
        <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
      </ComposerPrimitive.Root>
    </ThreadPrimitive.Root>
  );
}

function App() {
  const runtime = useLangGraphRuntime({
    stream,
    unstable_allowCancellation: true,
    create: async () => {
      const { thread_id } = await client.threads.create();
      return { externalId: thread_id };
    },
    load: async (id) => {
      const { values, tasks } = await client.threads.getState<{ messages: LangChainMessage[] }>(id);
      return { messages: values.messages, interrupts: tasks[0]?.interrupts };
    },
  });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Chat />
    </AssistantRuntimeProvider>
  );
}

createRoot(document.getElementById("root")!).render(<App />);
