// SPDX-License-Identifier: MIT
// Type-level assertions: a line that does not compile is a failed test.
export type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
export function expectType<Expected>() {
  return <Actual>(
    _value: Actual,
    ..._same: Equal<Actual, Expected> extends true ? [] : ["these types differ", Actual, Expected]
  ) => {};
}
