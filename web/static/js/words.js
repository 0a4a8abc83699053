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

/** The name of a switch in a sentence about it; people know it by its question and the gap it fills. */
const SWITCH = /\([a-z_0-9]+(?:\.[a-z_0-9]+)*, /;

/** A sentence about a house rule without the name of its switch. */
export function withoutSwitch(sentence) {
  return sentence.replace(SWITCH, "(");
}
