// SPDX-License-Identifier: MIT
// Splits what a person wrote into clauses, and reads counts in digits and words. Must not know:
// what they are about.

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const NUMBER = `(?:${[...SMALL, ...TENS, "hundred", "thousand"].join("|")})`;
const NUMBERS = new RegExp(`\\b${NUMBER}(?:(?:[ -]|\\sand\\s)${NUMBER})*\\b`, "gi");
const STARTS =
  "what|what's|how|which|who|when|where|why|save|list|show|order|note|remember|find|search|calculate|compute|tell|buy|delete|remove|forget|give|write|add|cancel|please|i";
const BETWEEN = new RegExp(
  `[;]\\s*|[?!.]+\\s+(?=\\S)|,?\\s+(?:and|then|and then|and also|also)\\s+(?=(?:then\\s+|also\\s+|please\\s+)?(?:${STARTS})\\b)|,\\s+(?=(?:what|how|tell|order)\\b)|\\n+`,
  "giu",
);
const QUOTED_MOST = 80;

/**
 * The parts of a text that can be answered one by one; a greeting before a request is left out.
 * @param {string} text
 * @returns {string[]}
 */
export function clausesOf(text) {
  const whole = text.replace(/[’‘]/g, "'").trim();
  const bare = whole.replace(
    /^(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there)?[,!. ]+(?=\S)/i,
    "",
  );
  const parts = bare.split(BETWEEN).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** The text in quotes, cut. @param {string} text */
export function quoted(text) {
  return `“${text.length > QUOTED_MOST ? `${text.slice(0, QUOTED_MOST)}…` : text}”`;
}

/** Without the marks at its end. @param {string} text */
export function bare(text) {
  return text
    .trim()
    .replace(/[\s.?!,;]+$/, "")
    .replace(/,?\s+please$/i, "")
    .trim();
}

/** The value of number words: "five hundred and twenty-one". @param {string} text */
function valueOf(text) {
  let sum = 0;
  let part = 0;
  for (const word of text.toLowerCase().split(/[\s-]+/)) {
    if (word === "hundred") part = (part || 1) * 100;
    else if (word === "thousand") {
      sum += (part || 1) * 1000;
      part = 0;
    } else if (SMALL.includes(word)) part += SMALL.indexOf(word);
    else if (TENS.includes(word)) part += (TENS.indexOf(word) + 2) * 10;
  }
  return sum + part;
}

/** Number words as digits. @param {string} text */
export function withDigits(text) {
  return text.replace(NUMBERS, (found) => String(valueOf(found)));
}

/**
 * Reads how many, and of what: "two red apples", "3x tea", "half a pizza", "a dozen eggs".
 * @param {string} text
 * @returns {{ count: number | undefined, thing: string, isVague?: boolean }} count undefined: none
 *   was said; vague: it was, but not as a number
 */
export function countOf(text) {
  const said = text.trim();
  const vague = /^(?:some|several|many|a few|a lot of|lots of|a bunch of|more)\s+(.*)$/is.exec(
    said,
  );
  if (vague) return { count: undefined, thing: vague[1], isVague: true };
  const half = /^half (?:an? |of an? )(?!dozen)(.*)$/is.exec(said);
  if (half) return { count: 0.5, thing: half[1] };
  const dozens = /^(half a|an?|\S+) dozens? (?:of )?(.*)$/is.exec(said);
  if (dozens) {
    const times = /^half/i.test(dozens[1])
      ? 0.5
      : /^an?$/i.test(dozens[1])
        ? 1
        : Number(withDigits(dozens[1]));
    if (Number.isFinite(times)) return { count: 12 * times, thing: dozens[2] };
  }
  const couple = /^(?:a )?couple (?:of )?(.*)$/is.exec(said);
  if (couple) return { count: 2, thing: couple[1] };
  const digits =
    /^(-?\d{1,3}(?:[,']\d{3})+|-?\d+(?:\.\d+)?(?:e\d+)?)(?:\s*[x×]\s+|[x×](?=\D)|\s+(?:of\s+(?:the\s+)?)?)(.*)$/is.exec(
      said,
    );
  if (digits) return { count: Number(digits[1].replace(/[,']/g, "")), thing: digits[2] };
  const spoken = new RegExp(`^${NUMBERS.source}\\s+(?:of (?:the )?)?(.*)$`, "is").exec(said);
  if (spoken)
    return { count: valueOf(said.slice(0, said.length - spoken[1].length)), thing: spoken[1] };
  const after = /^(.*?)\s*(?:[x×]\s*(\d+)|\((\d+)\))$/is.exec(said);
  if (after) return { count: Number(after[2] ?? after[3]), thing: after[1] };
  const one = /^(?:an?|one|the|my)\s+(.*)$/is.exec(said);
  if (one) return { count: 1, thing: one[1] };
  return { count: undefined, thing: said };
}
