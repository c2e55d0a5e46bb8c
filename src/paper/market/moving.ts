/** Moves prices while events are open: matches are played, beliefs drift, a few events at each step. */

import type { PaperEvent, PaperMatch } from '../catalogue/question.ts';
import type { Exchange } from '../exchange.ts';
import { moveBelief } from './belief.ts';
import { matchOf } from './event-model.ts';
import { decidedContracts } from './match-chances.ts';
import { playMatch } from './play-match.ts';

/** Ordinary events moved at each step of a quarter of a second. */
const EVENTS_A_STEP = 2;
const COIN_EVERY_STEPS = 8;

/** Moves the events of this step. Events that follow a match or an asset move at their own, slower rate. */
export function movePrices(exchange: Exchange, now: number): void {
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

/** @returns the matches that are being played. */
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
export function playOn(exchange: Exchange, match: PaperMatch, now: number): void {
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

/** Ends what the score of a running match has decided: a line that is certain is not sold, and pays at once. */
export function settleDecided(exchange: Exchange, event: PaperEvent): void {
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
