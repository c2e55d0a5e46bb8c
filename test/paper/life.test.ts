/** Listings begin, close, resolve and come again on their own, and survive a restart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournal } from '../../src/paper/journal.ts';
import { freeze, resolve, setFee } from '../../src/paper/manual-control.ts';
import { OrderBookService } from '../../src/paper/orders/order-book-service.ts';
import { createExchange, events, NOON, pass } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a five-minute contract', () => {
  // contract 5.12
  test('takes its strike at the start, closes on the boundary, resolves within two seconds, and another takes its place', {
    tags: 'proof',
  }, () => {
    const clock = { at: NOON };
    const exchange = createExchange({ clock });
    const current = events(exchange).find((event) => event.id.includes('eth-5m') && event.closesAt < NOON + 300_000);
    const contract = current?.contracts[0];
    if (current === undefined || contract === undefined) {
      throw new Error('no current window');
    }
    expect(contract.threshold).toBeGreaterThan(0);
    pass(exchange, clock, 180);
    expect(contract).toMatchObject({ status: 'closed', resolution: null });
    expect(contract.book).toMatchObject({ bids: [], asks: [] });
    pass(exchange, clock, 2);
    expect(contract.status).toBe('resolved');
    expect(['YES', 'NO']).toContain(contract.resolution?.outcome);
    const open = events(exchange).filter((event) => event.id.includes('eth-5m') && event.closedAt === null);
    expect(open.map((event) => event.closesAt).sort()).toEqual([
      current.closesAt + 300_000,
      current.closesAt + 600_000,
    ]);
  });
});

describe('an ordinary question with a near date', () => {
  test('resolves with exactly one answer of a field, and is listed again', () => {
    const clock = { at: NOON };
    const exchange = createExchange({ clock });
    const field = exchange.state.events['px-netflix-top-show-week'];
    if (field === undefined) {
      throw new Error('no such fixture');
    }
    clock.at = field.closesAt;
    pass(exchange, clock, 30);
    expect(field.contracts.filter((one) => one.resolution?.outcome === 'YES').length).toBe(1);
    expect(field.contracts.every((one) => one.status === 'resolved')).toBe(true);
    const again = exchange.state.events['px-netflix-top-show-week-1'];
    expect(again?.contracts.every((one) => one.status === 'open')).toBe(true);
    expect(again?.slug).not.toBe(field.slug);
  });
});

describe('a game in play', () => {
  test('moves its score, ends, resolves by the score, and is played again', { timeout: 120_000, tags: 'proof' }, () => {
    const clock = { at: NOON };
    const exchange = createExchange({ clock });
    const match = Object.values(exchange.state.matches).find((one) => one.id.startsWith('nba-NYK'));
    const game = events(exchange).find((event) => event.model.type === 'match' && event.model.match === match?.id);
    if (match === undefined || game === undefined) {
      throw new Error('no such game');
    }
    const before = match.homeScore + match.awayScore;
    pass(exchange, clock, 600);
    expect(match.homeScore + match.awayScore).toBeGreaterThan(before);
    clock.at = match.endsAt;
    pass(exchange, clock, 10);
    expect(match.ended).toBe(true);
    const homeWon = match.homeScore > match.awayScore;
    expect(game.contracts.map((one) => one.resolution?.outcome)).toEqual(homeWon ? ['YES', 'NO'] : ['NO', 'YES']);
    expect(Object.values(exchange.state.matches).some((one) => one.fixture === match.fixture && !one.ended)).toBe(true);
  });
});

describe('a restart', () => {
  test('finds books held, scripts, fees, resolutions, prices and orders as they were, also without a last snapshot', async () => {
    const clock = { at: NOON };
    const first = createExchange({ clock, journal: openJournal(folder, 'paper') });
    first.compact();
    const orderBook = new OrderBookService(first);
    const ids = [...first.contracts.keys()].filter((id) => id.includes('bitcoin-above'));
    const [held = '', fed = '', over = ''] = ids;
    freeze(first, held, [{ price: 400_000, quantity: 5_000_000 }], [{ price: 450_000, quantity: 7_000_000 }]);
    first.amend(fed, (contract) => contract.next.push('timeout'));
    setFee(orderBook, fed, null);
    resolve(first, over, 'SPLIT', 400_000);
    const order = { listingId: held, side: 'YES', action: 'BUY', quantity: 1_000_000, limitPrice: 500_000 } as const;
    await orderBook.place({ ...order, ourId: 'a', maxCost: null, expiresAt: NOON + 5_000 });
    // No compaction here: what a killed process leaves.
    const second = createExchange({ clock, journal: openJournal(folder, 'paper') });
    const again = new OrderBookService(second);
    expect(second.find(held)?.contract).toMatchObject({ frozen: true, book: { bids: [{ price: 400_000 }] } });
    expect(second.find(fed)?.contract).toMatchObject({ next: ['timeout'], feeBps: null });
    expect(second.find(over)?.contract).toMatchObject({ status: 'resolved', resolution: { outcome: 'SPLIT' } });
    expect(again.find('a')).toMatchObject({ state: 'closed', fills: [{ price: 450_000, quantity: 1_000_000 }] });
    expect(events(second).length).toBe(events(first).length);
    const untouched = [...first.contracts.values()].find(({ contract }) => contract.id.includes('recession'));
    expect(second.find(untouched?.contract.id ?? '')?.contract.book.bids).toEqual(untouched?.contract.book.bids);
  });
});
