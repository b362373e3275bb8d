// SPDX-License-Identifier: MIT
// The public names of `weftgraph/approval`.
export { formOf } from "./form.js";
export { addItem, removeItem } from "./form-items.js";
export { readForm } from "./form-read.js";
export { spellJson } from "./form-texts.js";
export { answerOf } from "./form-answer.js";
export { approvalRules } from "./approval-rules.js";
export { expireApprovals } from "./expire-approvals.js";
export { verifyDecisions } from "./verify-decisions.js";
