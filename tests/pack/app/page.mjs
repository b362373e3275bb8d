// SPDX-License-Identifier: MIT
import { answer } from "./agent.mjs";

globalThis.outcome = answer().catch((error) => String(error?.stack ?? error));
