// House rules in words: what is asked about each, and what its answers mean. The page brings them along.

const RULES = JSON.parse(document.body.dataset.houseRules ?? "{}");

/** `rule`, `question` and `values` (what each means) of the house rule with that name, by these rules or, where they
 *  are not known, by the first that have it; undefined where none has. */
export function houseRule(name, preset = "") {
  return RULES[preset]?.[name] ?? Object.values(RULES).find((rules) => name in rules)?.[name];
}

/** What each option of a question means; null where it says so by itself, as yes, no and bare numbers do. */
export function meaningsOf({ rule, options }, preset) {
  const values = houseRule(rule, preset)?.values;
  if (!values || options.every((option) => begins(values[option], option))) return null;
  return options.map((option) => (values[option] ?? option).replace(/\.$/, ""));
}

/** A number that means more than itself does not say so by itself. */
function begins(words, option) {
  if (/^\d+$/.test(option)) return words === undefined || words === `${option}.`;
  return words?.split(/[\s:,.]/, 1)[0].toLowerCase() === option;
}

/** The words of a question without the names of its values, such as (no_split). */
export function withoutValues(text) {
  return text.replace(/ \([a-z0-9_]+\)\./g, ".");
}

/** What was answered to the question `text`, in words. */
export function answerInWords(text, option) {
  const every = Object.values(RULES).flatMap((rules) => Object.values(rules));
  const asked = every.find(({ question, values }) => text.includes(question) && option in values);
  return (asked?.values[option] ?? option).replace(/\.$/, "");
}
