// SPDX-License-Identifier: MIT
// `weftgraph/studio`: makes <weft-studio> known to the page that imports it.
import { WeftStudio, defineStudio } from "./element.js";

export { WeftStudio, defineStudio };

// Servers import the modules of pages too: there is nothing to define then.
if (globalThis.customElements !== undefined) defineStudio();
