// SPDX-License-Identifier: MIT
import { answer } from "./agent.mjs";

console.log(await answer());
