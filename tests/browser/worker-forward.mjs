// SPDX-License-Identifier: MIT
// A service worker that passes requests below /agents on to a page.
import { serve, serveFrom } from "weftgraph/server/service-worker";

serve(serveFrom(), { scope: "/agents" });
