// Sets that are claimed, in a game that is won so: whose tokens lie where, and which set is claimed next.

import { byId, element, setText } from "./dom.js";
import { houseRule } from "./house.js";
import { questionBox } from "./ruling.js";
import { tileButton, tileInText } from "./tiles.js";
import { count, labelInWords } from "./words.js";

let shown = "";

/** Shows the claims of `game`; nothing in a game without them. */
export function showClaims(game) {
  const { claims } = game;
  byId("claims").hidden = claims === null;
  const drawing = JSON.stringify([claims, game.seats.map((seat) => seat.name)]);
  if (drawing === shown || claims === null) return;
  shown = drawing;
  setText(byId("claims-rule"), whatWins(claims));
  const items = claims.claimed.map((claimed) => claimedItem(claimed, game));
  byId("claims-list").replaceChildren(...(items.length ? items : [element("li", { class: "hint" }, "No set is claimed yet.")]));
}

function whatWins({ target, exactly }) {
  if (target === null) return "";
  return exactly
    ? `Exactly ${target} points win at once. Otherwise whoever is closest at the end wins.`
    : `${target} points or more win at once.`;
}

function claimedItem(claimed, game) {
  const over = [...new Set(claimed.beneath)].filter((name) => name !== claimed.player);
  const words = [`${claimed.player}, ${count(claimed.points, "point")}`, claimed.word + (over.length ? `, over tokens of ${over.join(" and ")}` : "")];
  if (claimed.where === null) words.push("its tiles may lie in more than one place");
  return element("li", { class: "claimed" },
    element("span", { class: "claimed-tiles" }, ...claimed.set.split(" ").map(tileInText)),
    tokenOf(claimed, game),
    element("span", {}, `${words.join("; ")}.`));
}

/** The mark of a token: whose it is by letter and colour, how often the set was claimed by shape and number. */
function tokenOf({ player, level, word }, game) {
  const names = game.seats.map((seat) => seat.name);
  const seat = names.indexOf(player);
  const [initial] = player;
  const letter = names.filter(([first]) => first === initial).length === 1 ? initial : String(seat + 1);
  return element("span", { class: "token", "data-seat": seat % 4, "data-word": word, "aria-hidden": "true" }, word === "hijacked" ? `${letter}${level}` : letter);
}

/** How far a player has come; nothing where points are not claimed, or before there are any. */
export function towardsTarget(seat, claims) {
  if (!claims?.target || seat.points === null) return "";
  return element("progress", { class: "seat-target", max: claims.target, value: seat.points, "aria-label": `${seat.points} of ${claims.target} points` });
}

/**
 * For each tile of `state` its tokens: `{node, said}` each. Tokens are drawn where their tiles lie together in one
 * set only; which of two equal sets has them nobody has told the table.
 */
export function tokensOnTiles(state) {
  const found = new Map();
  for (const claimed of state.game?.claims?.claimed ?? []) {
    const hosts = state.melds.map((meld) => carriers(claimed, meld, state.tiles)).filter((tiles) => tiles !== null);
    if (hosts.length !== 1) continue;
    for (const tile of hosts[0]) {
      const token = { node: tokenOf(claimed, state.game), said: `, ${claimed.word} by ${claimed.player}` };
      found.set(tile, [...(found.get(tile) ?? []), token]);
    }
  }
  return found;
}

/** The tiles of a meld that carry the tokens; null where not all of them are there. */
function carriers(claimed, meld, tiles) {
  const left = [...meld];
  const found = claimed.set.split(" ").map((label) => {
    const at = left.findIndex((tile) => tiles[tile].label === label);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return found.includes(undefined) ? null : found;
}

/**
 * Asks which set of `state` is claimed, by a tap on the board or on the set; answers the `choice` with the state in
 * which it was made (`shown`), or null. What a claim waits for is asked beside its sets: `answer(shown, question,
 * option)` promises the state after it, in which they are listed anew.
 */
export function pickClaim(state, answer) {
  const dialog = byId("ask-claim");
  return new Promise((resolve) => {
    let shown = state;
    let tapped = null;
    let picked = null;
    const pick = (choice) => {
      picked = { choice, shown };
      dialog.close();
    };
    const settle = async (question, option) => {
      const { layout_sequence } = shown;
      shown = await answer(shown, question, option);
      if (!dialog.open) return;
      if (shown.layout_sequence !== layout_sequence) tapped = null;
      draw();
      (byId("ask-claim-list").querySelector("button") ?? byId("ask-claim-no")).focus({ preventScroll: true });
    };
    const draw = () => {
      byId("ask-claim-board").replaceChildren(...boardCells(shown, tap));
      byId("ask-claim-board").hidden = !shown.grid?.length;
      list();
    };
    const list = () => {
      const choices = shown.game?.claims?.choices ?? [];
      const listed = tapped === null ? choices : choices.filter((choice) => goesThrough(choice, tapped, shown));
      mark(tapped, shown);
      byId("ask-claim-list").replaceChildren(
        ...listed.filter(isFree).map((choice) => choiceItem(choice, pick)),
        ...waiting(listed).map((alike) => waitingItem(alike, shown, settle)),
        ...listed.filter(({ refused }) => refused).map(refusedItem));
      byId("ask-claim-all").hidden = listed.length === choices.length;
      return listed;
    };
    const tap = (tile) => {
      tapped = tile;
      const through = list();
      if (through.length === 1 && isFree(through[0])) pick(through[0]);
    };
    const all = () => {
      tapped = null;
      list();
    };
    byId("ask-claim-all").onclick = all;
    byId("ask-claim-no").onclick = () => dialog.close();
    dialog.onclose = () => resolve(picked);
    draw();
    dialog.showModal();
  });
}

/** Whether a set may be claimed without another word. */
function isFree({ refused, question }) {
  return !refused && question === null;
}

function goesThrough(choice, tile, state) {
  return state.melds.some((meld) => meld.includes(tile) && isSameLine(choice.set, meld.map((each) => state.tiles[each].label)));
}

/** The choices that wait for an answer, those that wait for the same house rule together. */
function waiting(choices) {
  const alike = new Map();
  for (const choice of choices.filter(({ question }) => question !== null)) {
    const asked = choice.question.rule ?? choice.question.text;
    alike.set(asked, [...(alike.get(asked) ?? []), choice]);
  }
  return [...alike.values()];
}

/** A claim in words, to make sure that it is meant. */
export function claimInWords(choice) {
  const tiles = choice.set.split(" ").map(labelInWords).join(", ");
  return `${tiles}: ${count(choice.points, "point")}. ${choice.tokens}`;
}

function isSameLine(set, labels) {
  return set === labels.join(" ") || set === [...labels].reverse().join(" ");
}

function choiceItem(choice, pick) {
  const button = element("button", { type: "button", class: "claim-choice", "data-set": choice.set },
    setOf(choice), element("span", {}, element("strong", {}, choice.label), ` ${count(choice.points, "point")}${whichOf(choice)}`));
  button.addEventListener("click", () => pick(choice));
  return button;
}

function refusedItem(choice) {
  return element("div", { class: "claim-choice refused" }, setOf(choice), element("span", {}, `${choice.refused}${whichOf(choice)}`));
}

/** Sets that may be claimed or not by the answer to one question, and that question. */
function waitingItem(choices, state, settle) {
  const [{ question }] = choices;
  const sets = choices.map((choice) => element("div", {}, setOf(choice), whichOf(choice)));
  const isOfOne = choices.every((choice) => choice.question.text === question.text);
  const shown = isOfOne ? question : { ...question, text: withoutReason(question) };
  return element("div", { class: "claim-choice waiting" }, ...sets, questionBox(state, shown, (option) => settle(question, option)));
}

/** What is asked about a house rule, without the one set for which it is. */
function withoutReason({ text, rule }) {
  return text.slice(Math.max(0, text.indexOf(houseRule(rule)?.question ?? text)));
}

function setOf({ set }) {
  return element("span", { class: "claimed-tiles" }, ...set.split(" ").map(tileInText));
}

function whichOf({ fresh }) {
  return fresh === null ? "" : fresh ? " (the one without tokens)" : " (the one with tokens)";
}

/** The board to tap on, each tile in its cell and large enough for a finger; wider than a phone it is pushed. */
function boardCells(state, tap) {
  const tokens = tokensOnTiles(state);
  return (state.grid ?? []).flatMap((row, y) => row.flatMap((tile, x) => {
    if (tile === null) return [];
    const cell = tileButton(state.tiles[tile].label, `${labelInWords(state.tiles[tile].label)}, row ${y + 1}, column ${x + 1}`, () => tap(tile));
    cell.dataset.tile = tile;
    [cell.style.gridRow, cell.style.gridColumn] = [y + 1, x + 1];
    addTokens(cell, tokens.get(tile));
    return [cell];
  }));
}

/** Draws the tokens of a tile on it, and names them for people who listen. */
export function addTokens(button, tokens) {
  if (!tokens) return;
  button.append(element("span", { class: "tokens" }, ...tokens.map((token) => token.node)));
  const name = button.getAttribute("aria-label") + tokens.map((token) => token.said).join("");
  button.setAttribute("aria-label", name);
  button.title = name;
}

function mark(tile, state) {
  const lit = new Set(state.melds.filter((meld) => meld.includes(tile)).flat());
  for (const cell of byId("ask-claim-board").children) cell.classList.toggle("lit", lit.has(Number(cell.dataset.tile)));
}
