// SPDX-License-Identifier: MIT
// Questions of every shape that interfaces know, with a text that means harm in every place.

/**
 * A schema whose names, titles, descriptions, choices and defaults are the text.
 * @param {string} payload
 */
export const schemaOf = (payload) => ({
  type: "object",
  title: payload,
  description: payload,
  properties: {
    [payload]: { type: "string", title: payload, description: payload, default: payload },
    plain: { type: "string", description: payload, pattern: payload },
    picked: { enum: [payload, "other"], title: payload },
    named: {
      oneOf: [
        { const: payload, title: payload },
        { const: "other", title: "Other" },
      ],
    },
    tick: { type: "boolean", title: payload },
    inner: {
      type: "object",
      title: payload,
      description: payload,
      properties: { [payload]: { type: "integer", title: payload } },
      required: [payload],
    },
    list: { type: "array", title: payload, description: payload, items: { title: payload } },
  },
  required: [payload, "plain"],
});

const config = { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true };

/**
 * @param {string} payload
 * @returns {{ value: unknown, schema?: unknown }[]}
 */
export function questionsOf(payload) {
  const args = { [payload]: payload, plain: payload, list: [payload], inner: { [payload]: 1 } };
  const asked = {
    action_request: { action: payload, args },
    config,
    description: payload,
    canonical: JSON.stringify(args),
    digest: payload,
    approval_id: payload,
    tool_call_id: payload,
  };
  const repaired = [{ path: payload, change: payload, from: payload }];
  const expires_at = "2999-01-01T00:00:00Z";
  return [
    {
      value: {
        ...asked,
        note: payload,
        problem: payload,
        repaired,
        expires_at,
        escalated_to: payload,
        review_configs: [{ args_schema: schemaOf(payload) }],
      },
    },
    { value: { ...asked, kind: "unknown_tool_call", tool_call_id: "lost" } },
    {
      value: {
        action_requests: [1, 2].map((id) => ({
          name: payload,
          args,
          description: payload,
          note: payload,
          repaired,
          id,
        })),
        review_configs: [{ action_name: payload, args_schema: schemaOf(payload) }],
        problem: payload,
        digest: payload,
      },
    },
    { value: [{ action_request: { action: payload, args }, config, description: payload }] },
    // A schema that is none.
    {
      value: {
        ...asked,
        tool_call_id: "broken",
        review_configs: [{ args_schema: { type: "object", properties: null, required: payload } }],
      },
    },
    {
      value: {
        question: payload,
        [payload]: payload,
        options: [payload, { label: payload, value: payload }],
      },
    },
    { value: { question: payload, more: { [payload]: payload } }, schema: schemaOf(payload) },
  ];
}
