// SPDX-License-Identifier: MIT
// Serves docs/semantics.md 19 (ids of messages) where a page is not served securely.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUuid } from "../../js/base/uuid.js";

test("ids where a page has no crypto.randomUUID", (context) => {
  const ids = new Set();
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  context.after(() => delete crypto.randomUUID);
  for (let i = 0; i < 200; i++) ids.add(randomUuid());
  assert.equal(crypto.randomUUID, undefined);
  assert.equal(ids.size, 200);
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
