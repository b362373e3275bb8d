// SPDX-License-Identifier: MIT
import { answer } from "./agent.mjs";

export default {
  async fetch() {
    return new Response(await answer());
  },
};
