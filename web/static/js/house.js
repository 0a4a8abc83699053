// House rules in words: what is asked about each, and what its answers mean. The page brings them along.

const RULES = JSON.parse(document.body.dataset.houseRules ?? "{}");

/** `question` and `values` (what each means) of the house rule with that name; undefined where it is not known. */
export function houseRule(name) {
  return RULES[name];
}

/** What each option of a question means; null where it says so by itself, as yes, no and numbers do. */
export function meaningsOf({ rule, options }) {
  const values = houseRule(rule)?.values;
  if (!values || options.every((option) => begins(values[option], option))) return null;
  return options.map((option) => (values[option] ?? option).replace(/\.$/, ""));
}

function begins(words, option) {
  return words?.split(/[\s:,.]/, 1)[0].toLowerCase() === option;
}

/** The words of a question without the names of its values, such as (no_split). */
export function withoutValues(text) {
  return text.replace(/ \([a-z0-9_]+\)\./g, ".");
}

/** What was answered to the question `text`, in words. */
export function answerInWords(text, option) {
  const asked = Object.values(RULES).find(({ question }) => text.includes(question));
  return (asked?.values[option] ?? option).replace(/\.$/, "");
}
