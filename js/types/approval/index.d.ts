// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/approval`.
export type { ApprovalForm, FormField, FormOption, FormProblem } from "./form.js";
export { addItem, answerOf, formOf, readForm, removeItem, spellJson } from "./form.js";
export type {
  ApprovalCall,
  ApprovalEscalation,
  ApprovalExpiry,
  ApprovalRules,
  ApprovalRulesOptions,
  ExpiredApprovals,
  ExpiredRequest,
  ExpiryResult,
  OnApprovalExpire,
  VerifiedDecision,
} from "./rules.js";
export { approvalRules, expireApprovals, verifyDecisions } from "./rules.js";
