// SPDX-License-Identifier: MIT
// A worker that serves a graph as an MCP server to the page that made it.
import { serveTrip } from "../js/mcp-trip.mjs";

serveTrip().listen(globalThis);
