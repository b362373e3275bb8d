// SPDX-License-Identifier: MIT
import { runContract } from "./idbfs-page.mjs";

postMessage(await runContract({ bigBytes: 1_000_000 }));
