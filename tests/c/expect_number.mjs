// SPDX-License-Identifier: MIT
// Prints what tests/c/test_number.c expects: SHA-256 digests of what this JavaScript engine makes
// of the same numbers. Run: node tests/c/expect_number.mjs
import { createHash } from "node:crypto";

let state = 2463534242;
const next = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>>= 0);
};
const view = new DataView(new ArrayBuffer(8));
const fromWords = (high, low) => {
  view.setUint32(0, high);
  view.setUint32(4, low);
  return view.getFloat64(0);
};
const fromBits = (bits) => {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
};
const toBits = (value) => {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
};

function* powers() {
  for (let k = -1074; k <= 1023; k++) {
    const bits = toBits(2 ** k);
    for (let d = -1n; d <= 1n; d++) yield fromBits(bits + d);
  }
}
function* patterns() {
  for (let i = 0; i < 500000; i++) {
    const high = next();
    const low = next();
    yield fromWords((high & 0x7ff00000) === 0x7ff00000 ? high & 0xbfffffff : high, low);
  }
}
function* units() {
  for (let i = 0; i < 500000; i++) {
    const high = next() >>> 5;
    yield (high * 67108864 + (next() >>> 6)) / 9007199254740992;
  }
}
function* integers() {
  for (let i = 0; i < 300000; i++) {
    const high = next();
    const low = next();
    const value = Math.floor(((high & 0x1fffff) * 4294967296 + low) / 2 ** (next() % 53));
    yield high >>> 31 ? -value : value;
  }
}
function* subnormals() {
  for (let i = 0; i < 200000; i++) {
    const high = next();
    yield fromWords(high & 0x800fffff, next());
  }
}
const extremes = [
  0,
  -0,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  5e-324,
  1e21,
  1e-6,
  1e-7,
  123456789012345680000,
];

for (const [name, group] of Object.entries({
  powers,
  patterns,
  units,
  integers,
  subnormals,
  extremes: () => extremes,
})) {
  const hash = createHash("sha256");
  let count = 0;
  for (const value of group()) {
    hash.update(JSON.stringify(value) + "\n");
    count++;
  }
  console.log(`write ${name} ${count} ${hash.digest("hex")}`);
}

// Decimal texts of 1 to 60 digits, with a point and an exponent somewhere.
function* texts() {
  for (let i = 0; i < 300000; i++) {
    const digits = 1 + (next() % 60);
    const point = next() % 61;
    let text = next() & 1 ? "-" : "";
    for (let k = 0; k < digits; k++) {
      if (k === point && k > 0) text += ".";
      text += k === 0 ? 1 + (next() % 9) : next() % 10;
    }
    yield `${text}e${(next() % 700) - 350}`;
  }
}
// The exact points halfway between two doubles, and the same with a digit added or taken far
// behind.
function* halfways() {
  for (let i = 0; i < 3000; i++) {
    const high = next() & 0x7fffffff;
    const low = next();
    const exponent = (high >>> 20) % 0x7fe;
    const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(low);
    const mantissa = 2n * (exponent ? fraction | (1n << 52n) : fraction) + 1n;
    const power = Math.max(exponent, 1) - 1076;
    const whole = power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power);
    const tail = power >= 0 ? "" : `e${power}`;
    yield `${whole}${tail}`;
    yield power >= 0 ? `${whole}.${"0".repeat(20)}1` : `${whole}${"0".repeat(300)}1e${power - 301}`;
    yield power >= 0 ? `${whole - 1n}.9` : `${whole - 1n}9e${power - 1}`;
  }
}
for (const [name, group] of Object.entries({ texts, halfways })) {
  const hash = createHash("sha256");
  const read = createHash("sha256");
  let count = 0;
  for (const text of group()) {
    hash.update(text + "\n");
    read.update(toBits(JSON.parse(text)).toString(16).padStart(16, "0"));
    count++;
  }
  console.log(`read ${name} ${count} texts ${hash.digest("hex")} bits ${read.digest("hex")}`);
}
