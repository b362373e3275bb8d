// SPDX-License-Identifier: MIT
// The public names of `weftgraph/remote`.
export { RemoteGraph } from "./remote/remote-graph.js";
