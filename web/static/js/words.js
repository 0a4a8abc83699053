// Tiles and times in words. The notation is that of docs/notation.md.

/** The answer that says that no tile lies at a place. */
export const NO_TILE = "none";

const SUITS = {
  K: { word: "black", shape: "square", deck: "tiles" },
  B: { word: "blue", shape: "circle", deck: "tiles" },
  R: { word: "red", shape: "triangle", deck: "tiles" },
  O: { word: "orange", shape: "diamond", deck: "tiles" },
  S: { word: "spades", symbol: "♠", deck: "cards" },
  H: { word: "hearts", symbol: "♥", deck: "cards" },
  D: { word: "diamonds", symbol: "♦", deck: "cards" },
  C: { word: "clubs", symbol: "♣", deck: "cards" },
};
const CARD_RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };

/** What a label means: {joker, rank, suit, word, shape|symbol, deck}; null for no label. */
export function parseLabel(label) {
  if (!label) return null;
  if (label === "J" || label === "*") {
    return { joker: true, rank: "", suit: "", word: "joker", deck: label === "*" ? "cards" : "tiles" };
  }
  const tile = /^([KBRO])(\d{1,2})$/.exec(label);
  if (tile) return { rank: tile[2], suit: tile[1], ...SUITS[tile[1]] };
  const card = /^(10|[2-9ATJQK])([SHDC])$/.exec(label);
  if (card) return { rank: card[1], suit: card[2], ...SUITS[card[2]] };
  return null;
}

/** "black 7", "joker", "queen of hearts", "no tile", "a tile that could not be read". */
export function labelInWords(label) {
  if (label === NO_TILE) return "no tile";
  const tile = parseLabel(label);
  if (!tile) return label ? label : "a tile that could not be read";
  if (tile.joker) return "joker";
  if (tile.deck === "cards") return `${CARD_RANKS[tile.rank] ?? tile.rank} of ${tile.word}`;
  return `${tile.word} ${tile.rank}`;
}

/** Every label of the deck that `labels` come from, suit by suit. */
export function deckOf(labels) {
  const cards = labels.some((label) => parseLabel(label)?.deck === "cards");
  if (cards) {
    const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    return { suits: [..."SHDC"].map((suit) => ranks.map((rank) => rank + suit)), joker: "*" };
  }
  const ranks = Array.from({ length: 13 }, (_, index) => index + 1);
  return { suits: [..."KBRO"].map((suit) => ranks.map((rank) => suit + rank)), joker: "J" };
}

export const VERDICTS = {
  LEGAL: { word: "Legal", mark: "✓", log: "legal" },
  ILLEGAL: { word: "Not legal", mark: "✕", log: "not legal" },
  ASK: { word: "One thing to settle", mark: "?", log: "not settled" },
};

/** A name as a record writes it: bare where it is one plain word, else in quotes. */
const NAME = String.raw`"(?:[^"\\]|\\["\\])*"|[^\s"{;|]+`;
const QUOTED = /"((?:[^"\\]|\\["\\])*)"/g;

/** A text of a record with its names as they were given, without quotes. */
function unquoted(text) {
  return text.replace(QUOTED, (_, name) => name.replace(/\\(["\\])/g, "$1"));
}

/** Who let a turn stand that a line of a record tells of; empty where nobody did. */
export function overruledBy(line) {
  return unquoted(new RegExp(`; overruled by (${NAME})`).exec(line)?.[1] ?? "");
}

/** Whose turn a line of a record tells of; empty where it tells of something else. */
export function turnOf(line) {
  const verbs = "draws|plays:|passes|claims|misplays|runs out of time";
  return unquoted(new RegExp(`^(?!everybody )(${NAME}) (?:${verbs})`).exec(line)?.[1] ?? "");
}

/** The same as `toldInWords` without the tables and racks in it: "Ben plays (60 s)". */
export function toldInShort(line) {
  const [, head, tail] = /^((?:"(?:[^"\\]|\\["\\])*"|[^":])*)(?::[^{;]*)?(.*)$/s.exec(line);
  return toldInWords(turnOf(line) === "" ? line : `${head} ${tail}`.replace(/ +;/, ";").trim());
}

/** A line of a game's record for people who do not know the notation: "Ben draws {59.6 s}" is "Ben draws (60 s)". */
export function toldInWords(line) {
  const words = line
    .replace(/ \{([\d.]+) s\}/, (_, seconds) => ` (${Math.round(Number(seconds))} s)`)
    .replace(/; overruled by /, ", let stand by ")
    .replace(/ misplays\b/, " takes back")
    .replace(/^deal$/, "everybody takes tiles")
    .replace(/^hands: /, "on the racks: ")
    .replace(/^undo\b/, "taken back")
    .replace(/^correct (\d+)( by [^:]+)?: /, "event $1 corrected$2: ")
    .replace(/^game [a-z0-9-]+(?:; house: (.*?))?; players: (.*?)(?:; locks: (\d+))?$/, (_, house, players, locks) =>
      `a game begins: ${players.split(" | ").join(", ")}${house ? `; house rules: ${house.split(" ").join(", ")}` : ""}${locks ? `; lock tokens: ${locks}` : ""}`);
  const plain = unquoted(words);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** 14:03:22 in the viewer's own time. */
export function timeOfDay(iso) {
  return new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** 3 May 2026, 14:03 in the viewer's own language and time. */
export function dayAndTime(iso) {
  return new Date(iso).toLocaleString([], { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** "1 tile", "3 tiles". */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
