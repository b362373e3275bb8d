// SPDX-License-Identifier: MIT
import { mount } from "svelte";
import Chat from "./langchain-svelte.svelte";

mount(Chat, { target: document.getElementById("root")! });
