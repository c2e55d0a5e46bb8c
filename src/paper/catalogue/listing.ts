/** What the venue lists: every fixture once, a new one each time one ends, and five-minute windows as they begin. */
import type { Exchange } from '../exchange.ts';
import { matchKey } from '../exchange-state.ts';
import { playOn, settleDecided } from '../market/moving.ts';
import { unitOf } from '../market/random.ts';
import { ASSETS, mintFive, WINDOW_MS } from './five-minutes.ts';
import { spanMs } from './fixture.ts';
import { mintMatch, nextKickoffIn } from './mint-match.ts';
import { mintQuestion } from './mint-question.ts';
import type { PaperEvent } from './question.ts';

/** The share of the same questions that the second venue lists. */
const SHARED_SHARE = 0.4;
const SHARED_SPAN = 20 * 86_400_000;

/** Lists every fixture that is not listed yet: all of them at the first start, new ones after an upgrade. */
export function listFixtures(exchange: Exchange, now: number): void {
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

/** The current window and the next one, for each asset. */
export function listFives(exchange: Exchange, now: number): void {
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
export function listAgain(exchange: Exchange, event: PaperEvent, now: number): void {
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
