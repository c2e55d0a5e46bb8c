/** Exchanges and desks for tests: real fixtures, a clock that is set by hand, nothing kept unless asked for. */
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import { Exchange } from '../../src/paper/exchange.ts';
import { readFixtures } from '../../src/paper/fixture.ts';
import { forgetfulJournal, type Journal } from '../../src/paper/journal.ts';
import type { PaperContract, PaperEvent } from '../../src/paper/question.ts';

export const fixtures = readFixtures(join(projectRoot, 'fixtures', 'catalogue'));
export const NOON = Date.parse('2026-11-21T12:02:00Z');

export interface HandClock {
  at: number;
}

export function openExchange(
  options: { seed?: string; venue?: string; journal?: Journal; clock?: HandClock } = {},
): Exchange {
  const clock = options.clock ?? { at: NOON };
  return new Exchange({
    fixtures,
    venue: options.venue ?? 'paper',
    seed: options.seed ?? 'test',
    journal: options.journal ?? forgetfulJournal(),
    now: () => clock.at,
  });
}

/** Lets `seconds` pass in steps of a quarter. */
export function pass(exchange: Exchange, clock: HandClock, seconds: number): void {
  for (let step = 0; step < seconds * 4; step += 1) {
    clock.at += 250;
    exchange.step();
  }
}

export function events(exchange: Exchange): PaperEvent[] {
  return Object.values(exchange.state.events);
}

export function middle(contract: PaperContract): number {
  const bid = contract.book.bids[0]?.price ?? 0;
  const ask = contract.book.asks[0]?.price ?? 0;
  return (bid + ask) / 2;
}
