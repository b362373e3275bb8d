// SPDX-License-Identifier: MIT
// Reads a thread on the server, for the chat that shows it. A page without an id begins a new one.
import { redirect } from "next/navigation";
import { toUIMessages } from "weftgraph/ai-sdk";
import { graph } from "../agent";
import { Chat } from "./chat";

export default async function Page({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  const { id } = await searchParams;
  if (!id) redirect(`/?id=${crypto.randomUUID()}`);
  const state = await graph.getState({ configurable: { thread_id: id } });
  // A run that goes on is joined. A question that waits is among the messages.
  const isAsked = state.tasks.some(({ interrupts = [] }) => interrupts.length > 0);
  const isAtWork = state.next.length > 0 && !isAsked;
  return <Chat id={id} messages={toUIMessages(state)} resume={isAtWork} />;
}
