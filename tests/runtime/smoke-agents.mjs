export const agentChecks = [];
