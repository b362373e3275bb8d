// SPDX-License-Identifier: MIT
// The public names of limits, as names of this module: see events/index.js.
import * as limits from "./limit-errors.js";

export const { CostLimitError, DeadlineError, LimitError, ModelCallLimitError, RepeatedCallError, TokenLimitError, ToolCallLimitError, isLimitError } = limits;
