// SPDX-License-Identifier: MIT
// Hears manners, greetings and questions about the planner itself, and says of the rest that a
// planner of rules cannot do it.

/** @typedef {import("../planner.js").Heard} Heard */
/** @typedef {import("../planner.js").Reply} Reply */

export const HELP =
  "I can order (“order 2 pizzas”), list what was ordered, tell the time (“what time is it in Tokyo?”) and calculate (“12 * 7”).";
const WHO = "I am a planner of a few rules, not a language model.";
const CHOOSE = "A language model could: choose one under Models.";
const POLITE =
  /^(?:please|kindly|can you|could you|would you|will you|go ahead and|just|now|ok(?:ay)?|so|well|and|then|also|let's|hey)(?:\b[\s,:]*)/i;
const WISH =
  /^(?:i'd like|i would like|i'd love|i want|i wanna|i need|can i (?:have|get)|could i (?:have|get)|may i have|give|get|bring|fetch)(?: to\b| you to\b)?[\s,:]*/i;

/**
 * The clause without "please", "can you", "I want to"; a wish is one for a thing, not for an act.
 * @param {string} clause
 */
export function withoutManners(clause) {
  let said = clause.trim();
  for (let cut = POLITE.exec(said); cut !== null && cut[0] !== ""; cut = POLITE.exec(said))
    said = said.slice(cut[0].length);
  const wish = WISH.exec(said);
  if (wish === null) return { said, isWish: false };
  return { said: said.slice(wish[0].length), isWish: !/\bto\b/i.test(wish[0]) };
}

/** @type {[RegExp, string][]} */
const ANSWERS = [
  [
    /^(?:hi|hello|hey|good (?:morning|evening|afternoon)|hallo|hola|bonjour)\b(?! .{30})/i,
    `Hello! ${WHO} ${HELP}`,
  ],
  [/^(?:thanks|thank you|thx|cheers|great|nice|cool|perfect|good)\b/i, "You are welcome."],
  [/^(?:bye|goodbye|see you|good night)\b/i, "Goodbye! This thread stays in your browser."],
  [/^how are you\b|^how's it going/i, `Rules are always well. ${HELP}`],
  [
    /\b(?:who|what) are you\b|\b(?:your name|are you (?:an? )?(?:ai|bot|chatgpt|gpt|claude|gemini|human|real|llm|language model|person))\b|^which model|what model/i,
    `${WHO} ${HELP}`,
  ],
  [
    /^(?:help|\?+|what can (?:you|i) do|what do you do|what can i (?:ask|say)|how does (?:this|it) work|how do i use|show me what you can|commands?)\b/i,
    HELP,
  ],
  [
    /\b(?:my data|privacy|private|safe|secure|send .*anywhere|where .*(?:stored|saved|run))\b/i,
    "I run in this tab: what you write stays in this browser, and no request leaves this page's own server.",
  ],
  [
    /\bwhat is (?:weft|this)\b|\bwhat's (?:weft|this)\b|\babout weft\b/i,
    "Weft runs agent graphs in the browser: this one runs in this tab, and each of its steps is kept. The graph beside this text is what works.",
  ],
  [
    /\b(?:weather|remind|reminder|timer|alarm|book|pay|call|play|turn (?:on|off)|google|search|forecast|temperature|rain(?:ing)?|news|stock|bitcoin|score)\b/i,
    `I have no tool for that, and no network, so I did nothing. ${HELP}`,
  ],
  [
    /\b(?:poem|joke|story|song|essay|haiku|rap|email|e-mail|letter|code|function|program|script|limerick|translate|translation|summari[sz]e|explain|rewrite|spell|rhyme)\b/i,
    `I cannot do that, so I did nothing: ${WHO} ${CHOOSE}`,
  ],
  [
    /^(?:who|what|when|where|why|how|which) (?:is|was|are|were|did|do|does|many|much|far|old|tall|long|deep)\b/i,
    `I know no facts: I am a planner of a few rules. ${CHOOSE} ${HELP}`,
  ],
  [/^(?:yes|yeah|no|nope|ok|okay|sure|maybe)$/i, `There is nothing that I asked. ${HELP}`],
  [
    /^(?:stop|cancel|abort|quit|exit|never ?mind|forget it)$/i,
    "There is nothing to stop: I do nothing by myself.",
  ],
];

/** @param {Heard} heard @returns {Reply | undefined} */
export function smallTalk({ clause, said }) {
  const words = clause.trim().replace(/[.!]+$/, "");
  const plain = said.trim().replace(/[.!?]+$/, "");
  const found = ANSWERS.find(([pattern]) => pattern.test(words) || pattern.test(plain));
  // What else the text asks for may hang on it: "remind me to call Tom and buy a cake".
  return found && { say: found[1], refuses: found[1].includes("so I did nothing") };
}
