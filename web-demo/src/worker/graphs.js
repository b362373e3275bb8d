// SPDX-License-Identifier: MIT
// Names the graphs that the worker serves.
import { flaky } from "../samples/flaky.js";
import { orders } from "../samples/orders.js";
import { research } from "../samples/research.js";
import { review } from "../samples/review.js";
import { team } from "../samples/team.js";
import { withLimits } from "./limits.js";
import { recorded } from "./recordings.js";

export const graphs = Object.fromEntries(
  Object.entries({ orders, research, review, flaky, team }).map(([name, graph]) => [
    name,
    recorded(withLimits(graph), name),
  ]),
);
