/** Exchanges and desks for tests: real fixtures, a clock that is set by hand, nothing kept unless asked for. */
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import { paperToken } from '../../src/core/secret.ts';
import type { PaperContract, PaperEvent } from '../../src/paper/catalogue/event.ts';
import { readFixtures } from '../../src/paper/catalogue/fixture.ts';
import type { Journal } from '../../src/paper/journal.ts';
import type { Exchange } from '../../src/paper/market/exchange.ts';
import { createExchange as open, step } from '../../src/paper/market/step.ts';
import { forgetfulJournal } from '../support/forgetful-journal.ts';

export const fixtures = readFixtures(join(projectRoot, 'fixtures', 'catalogue'));
export const NOON = Date.parse('2026-11-21T12:02:00Z');

/** The secret of test services, which the paper venues beside them share. */
export const SECRETS = { current: 'a secret that only tests know', previous: [] };
export const PAPER_TOKEN = paperToken(SECRETS);

/** A request to a paper venue as the service makes it: a POST where there is a body. */
export function askVenue(url: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${PAPER_TOKEN}` };
  return fetch(
    `${url}${path}`,
    body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body), headers },
  );
}

export interface HandClock {
  at: number;
}

export function createExchange(
  options: { seed?: string; venue?: string; journal?: Journal; clock?: HandClock } = {},
): Exchange {
  const clock = options.clock ?? { at: NOON };
  return open({
    fixtures,
    venue: options.venue ?? 'paper',
    seed: options.seed ?? 'test',
    journal: options.journal ?? forgetfulJournal(),
    now: () => clock.at,
  });
}

/** Lets `seconds` pass in steps of a quarter. */
export function pass(exchange: Exchange, clock: HandClock, seconds: number): void {
  for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
    clock.at += 250;
    step(exchange);
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
