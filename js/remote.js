// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/remote`.
export { RemoteGraph } from "./remote/remote-graph.js";
