/**
 * Opens an exchange and applies the passing of time to it, a quarter of a second at a time: fixtures are listed, again
 * each time one ends, and windows as they begin; prices move; events close, are resolved, and are dropped long after.
 */

import type { PaperEvent, PaperMatch } from '../catalogue/event.ts';
import { spanMs } from '../catalogue/fixture.ts';
import { mintMatch, nextKickoffIn } from '../catalogue/matches.ts';
import { ASSETS, mintFive, mintQuestion, WINDOW_MS } from '../catalogue/mint.ts';
import { unitOf } from '../random.ts';
import { moveBelief, moveSpot } from './chances.ts';
import { asPrice, Exchange, type ExchangeOptions, matchKey, matchOf, outcomeOf } from './exchange.ts';
import { decidedContracts, playMatch } from './match.ts';

/** Opens an exchange with its fixtures listed and its state up to date. */
export function createExchange(options: ExchangeOptions): Exchange {
  const exchange = new Exchange(options);
  listFixtures(exchange, exchange.now());
  step(exchange);
  return exchange;
}

/** Advances the venue by a quarter of a second. */
export function step(exchange: Exchange): void {
  const { state } = exchange;
  const now = exchange.now();
  const seconds = Math.min(60, Math.max(0, (now - state.lastStep) / 1000));
  state.lastStep = now;
  state.steps += 1;
  if (exchange.venue === 'paper') {
    for (const asset of Object.keys(ASSETS)) {
      state.spots[asset] = moveSpot(asset, state.spots[asset] ?? 1, seconds, exchange.random);
    }
    listFives(exchange, now);
  }
  endWhatIsDue(exchange, now);
  movePrices(exchange, now);
}

const HOUR = 3_600_000;
/** How long after the close the result is known. */
const RESOLVE_AFTER = { five: 1_200, match: 4_000, question: 20_000 };
const KEEP_ENDED = { five: 6 * HOUR, other: 48 * HOUR };

/**
 * Gives windows their strike when they begin, closes events that ended and lists their fixtures again, resolves events that closed, and
 * drops events that were resolved long ago.
 */
function endWhatIsDue(exchange: Exchange, now: number): void {
  for (const event of Object.values(exchange.state.events)) {
    strike(exchange, event, now);
    if (event.closedAt === null && now >= closingTime(exchange, event)) {
      close(exchange, event, now);
    }
    if (event.closedAt !== null && event.endedAt === null && now >= event.closedAt + resolveAfter(event)) {
      end(exchange, event, now);
    }
    const keep = event.fiveMinute ? KEEP_ENDED.five : KEEP_ENDED.other;
    if (event.endedAt !== null && now >= event.endedAt + keep) {
      exchange.drop(event);
    }
  }
  for (const match of Object.values(exchange.state.matches)) {
    if (match.ended && now > match.endsAt + KEEP_ENDED.other) {
      delete exchange.state.matches[match.id];
    }
  }
}

/** The strike of a window is the spot price at its start. */
function strike(exchange: Exchange, event: PaperEvent, now: number): void {
  if (event.model.type !== 'five' || event.model.strike !== null || now < event.closesAt - WINDOW_MS) {
    return;
  }
  const spot = exchange.state.spots[event.model.asset] ?? 1;
  event.model.strike = asPrice(spot);
  for (const contract of event.contracts) {
    contract.threshold = event.model.strike;
  }
  exchange.changed(event);
}

function closingTime(exchange: Exchange, event: PaperEvent): number {
  if (event.model.type !== 'match') {
    return event.closesAt;
  }
  const endsAt = exchange.state.matches[event.model.match]?.endsAt ?? event.closesAt;
  // A match event that was reopened has its own, later closing time.
  return event.closesAt > endsAt + HOUR / 2 ? event.closesAt : endsAt;
}

function close(exchange: Exchange, event: PaperEvent, now: number): void {
  event.closedAt = now;
  for (const contract of event.contracts) {
    if (contract.status === 'open' || contract.status === 'paused') {
      contract.status = 'closed';
      if (!contract.frozen) {
        exchange.setSides(contract, [], []);
      }
    }
  }
  exchange.changed(event);
  listAgain(exchange, event, now);
}

function end(exchange: Exchange, event: PaperEvent, now: number): void {
  event.endedAt = now;
  // This is the price that decides.
  exchange.tellCoin(event);
  const right = outcomeOf(exchange, event);
  for (const [index, contract] of event.contracts.entries()) {
    if (contract.resolution === null) {
      contract.status = 'resolved';
      contract.resolution = { outcome: right[index] === true ? 'YES' : 'NO', yesWorth: null, at: now };
    }
  }
  exchange.changed(event);
}

function resolveAfter(event: PaperEvent): number {
  if (event.fiveMinute) {
    return RESOLVE_AFTER.five;
  }
  return event.model.type === 'match' ? RESOLVE_AFTER.match : RESOLVE_AFTER.question;
}

/** The second venue lists this share of the questions that close in more than `SHARED_SPAN`. */
const SHARED_SHARE = 0.4;
const SHARED_SPAN = 20 * 86_400_000;

/** Lists every fixture that was never listed: all of them at the first start, new ones after an upgrade. */
function listFixtures(exchange: Exchange, now: number): void {
  const { fixtures, state, venue } = exchange;
  for (const fixture of fixtures.questions) {
    if (lists(venue, fixture.id, spanMs(fixture.closes)) && state.generations[fixture.id] === undefined) {
      listQuestion(exchange, fixture.id, 0, now);
    }
  }
  if (venue === 'paper') {
    for (const [index, fixture] of fixtures.matches.entries()) {
      if (state.generations[matchKey(index)] === undefined) {
        listMatch(exchange, index, 0, now, spanMs(fixture.kickoff));
      }
    }
  }
}

function lists(venue: string, fixture: string, span: number): boolean {
  return venue === 'paper' || (span >= SHARED_SPAN && unitOf(`shared:${fixture}`) < SHARED_SHARE);
}

function listQuestion(exchange: Exchange, id: string, generation: number, now: number): void {
  const fixture = exchange.fixtures.questions.find((one) => one.id === id);
  if (fixture !== undefined) {
    exchange.state.generations[id] = generation;
    exchange.add(mintQuestion(fixture, exchange.venue, generation, now));
  }
}

function listMatch(exchange: Exchange, index: number, generation: number, now: number, kickoffIn: number): void {
  const { fixtures, journal, state, venue } = exchange;
  state.generations[matchKey(index)] = generation;
  const { match, events } = mintMatch(fixtures, index, venue, generation, now, kickoffIn);
  state.matches[match.id] = match;
  journal.append({ match });
  playOn(exchange, match, now);
  for (const event of events) {
    exchange.add(event);
    settleDecided(exchange, event);
  }
}

/** Lists the current window and the next one of each asset. */
function listFives(exchange: Exchange, now: number): void {
  const current = Math.floor(now / WINDOW_MS) * WINDOW_MS;
  for (const asset of Object.keys(ASSETS)) {
    for (const from of [current, current + WINDOW_MS]) {
      const event = mintFive(asset, exchange.venue, from);
      if (exchange.state.events[event.id] === undefined) {
        exchange.add(event);
      }
    }
  }
}

/** Lists the next generation of an event that closed, unless it is listed already. */
function listAgain(exchange: Exchange, event: PaperEvent, now: number): void {
  const { fixtures, state } = exchange;
  if (event.model.type === 'match') {
    const match = state.matches[event.model.match];
    const fixture = match === undefined ? undefined : fixtures.matches[match.fixture];
    if (match !== undefined && fixture !== undefined) {
      playOn(exchange, match, now);
      if (state.generations[matchKey(match.fixture)] === match.generation) {
        listMatch(exchange, match.fixture, match.generation + 1, now, nextKickoffIn(fixture));
      }
    }
  } else if (event.model.type !== 'five' && state.generations[event.fixture] === event.generation) {
    listQuestion(exchange, event.fixture, event.generation + 1, now);
  }
}

/** How many events that follow neither a match nor an asset move at each step. */
const EVENTS_A_STEP = 2;
const COIN_EVERY_STEPS = 8;

/**
 * Moves the prices of open events: matches are played, windows follow their asset, and the beliefs of a few other
 * events drift.
 */
function movePrices(exchange: Exchange, now: number): void {
  const { steps } = exchange.state;
  const playing = steps % 8 === 0 ? playAll(exchange, now) : new Set<string>();
  const ordinary: PaperEvent[] = [];
  for (const event of Object.values(exchange.state.events)) {
    if (event.closedAt !== null) {
      continue;
    }
    if (event.model.type === 'five') {
      if (steps % 2 === 0) {
        exchange.refresh(event);
      }
      if (steps % COIN_EVERY_STEPS === 0) {
        exchange.tellCoin(event);
      }
    } else if (event.model.type === 'match' && playing.has(event.model.match)) {
      const match = exchange.state.matches[event.model.match];
      settleDecided(exchange, event);
      exchange.refresh(event);
      if (match !== undefined && steps % 40 === 0) {
        exchange.listener?.match(event, match);
      }
    } else {
      ordinary.push(event);
    }
  }
  moveSome(exchange, ordinary);
  if (steps % 4 === 2) {
    exchange.refill();
  }
  if (steps % 40 === 0) {
    exchange.tellTraded();
  }
}

/** @returns ids of the matches that are being played */
function playAll(exchange: Exchange, now: number): Set<string> {
  const playing = new Set<string>();
  for (const match of Object.values(exchange.state.matches)) {
    const before = match.played;
    playOn(exchange, match, now);
    if (match.played !== before) {
      playing.add(match.id);
    }
  }
  return playing;
}

function moveSome(exchange: Exchange, ordinary: readonly PaperEvent[]): void {
  for (let count = 0; count < EVENTS_A_STEP && ordinary.length > 0; count += 1) {
    const event = ordinary[Math.floor(exchange.random.next() * ordinary.length)];
    if (event !== undefined) {
      moveBelief(event, exchange.random);
      exchange.refresh(event);
      exchange.tradeAmongOthers(event);
    }
  }
}

/** Plays a match until `now`; records a changed score and notifies. */
function playOn(exchange: Exchange, match: PaperMatch, now: number): void {
  const league = exchange.fixtures.leagues.get(match.league);
  if (league !== undefined && playMatch(match, league, now, exchange.random)) {
    exchange.journal.append({ match });
    for (const event of Object.values(exchange.state.events)) {
      if (event.model.type === 'match' && event.model.match === match.id) {
        exchange.listener?.match(event, match);
      }
    }
  }
}

/**
 * Resolves the contracts that the score of a running match has decided. A contract that is certain is not sold any
 * more.
 */
function settleDecided(exchange: Exchange, event: PaperEvent): void {
  const played = event.model.type === 'match' ? matchOf(exchange, event.model.match) : undefined;
  const decided = played === undefined ? [] : decidedContracts(event, played.match);
  const open = decided.filter(({ status, frozen }) => status === 'open' && !frozen);
  for (const contract of open) {
    contract.status = 'resolved';
    contract.resolution = { outcome: 'YES', yesWorth: null, at: exchange.now() };
    exchange.setSides(contract, [], []);
  }
  if (open.length > 0) {
    exchange.changed(event);
  }
}
