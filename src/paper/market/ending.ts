/** How events end: five-minute windows get their strike; events close, are resolved, and are dropped long after. */

import { WINDOW_MS } from '../catalogue/five-minutes.ts';
import { listAgain } from '../catalogue/listing.ts';
import type { PaperEvent } from '../catalogue/question.ts';
import { asPrice, type Exchange } from '../exchange.ts';
import { outcomeOf } from './event-model.ts';

const HOUR = 3_600_000;
/** How long after the close the result is known. */
const RESOLVE_AFTER = { five: 1_200, match: 4_000, question: 20_000 };
const KEEP_ENDED = { five: 6 * HOUR, other: 48 * HOUR };

/** Closes what ended, resolves what closed, lists it again, drops what ended long ago. */
export function endWhatIsDue(exchange: Exchange, now: number): void {
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
  // A match event that was reopened has a new date of its own.
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
  // The price that decides.
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
