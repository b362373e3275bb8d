// SPDX-License-Identifier: MIT
// Names the graphs that the worker serves. The order desk asks the model that a person chose.
import { plannerModel } from "../models/planner.js";
import { SampleModel } from "../models/sample-model.js";
import { flaky } from "../samples/flaky.js";
import { makeOrders } from "../samples/orders.js";
import { research } from "../samples/research.js";
import { review } from "../samples/review.js";
import { team } from "../samples/team.js";
import { withLimits } from "./limits.js";
import { recorded } from "./recordings.js";

/** Between the words of the planner. */
const PACE_MS = 25;

const orders = makeOrders(new SampleModel(plannerModel({ pace: PACE_MS })));

export const graphs = Object.fromEntries(
  Object.entries({ orders, research, review, flaky, team }).map(([name, graph]) => [
    name,
    recorded(withLimits(graph), name),
  ]),
);
