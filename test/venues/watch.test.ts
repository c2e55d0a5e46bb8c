/** The adapter's feed against a real venue on a real socket: snapshots, gaps, silence, cuts and restarts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJournal } from '../../src/paper/journal.ts';
import type { Watch } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { type Running, Seen, someListing, startVenue } from './support.ts';

let folder: string;
let running: Running;
let watch: Watch;
const seen = new Seen();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
  running = await startVenue({ journal: () => openJournal(folder, 'paper') });
  watch = await running.adapter.watch(seen);
  await until(() => watch.connected, Boolean, 5_000);
});
afterAll(async () => {
  await watch.close();
  await running.close();
  rmSync(folder, { recursive: true });
});

const freeze = (listingId: string, bid: string) => running.control('book', { listingId, bids: [[bid, '10']] });
const bestBid = (listingId: string) => seen.books_.get(listingId)?.bids[0]?.priceMicros;

describe('the feed of the paper venue', () => {
  test('starts with every book, and the whole catalogue fits the port', async () => {
    expect(seen.books_.size).toBe(running.venue.exchange.contracts.size);
    const { events, invalid } = await running.adapter.catalogue();
    expect(events.length).toBe(Object.keys(running.venue.exchange.state.events).length);
    expect([...invalid, ...seen.invalid_]).toEqual([]);
  });

  test('brings a changed book with a higher sequence, and confirms the unchanged ones', async () => {
    const id = someListing(running.venue);
    const before = seen.books_.get(id)?.sequence ?? 0n;
    await freeze(id, '0.4321');
    await until(() => expect(bestBid(id)).toBe(432_100n));
    expect(seen.books_.get(id)).toMatchObject({ feed: 'websocket', asks: [] });
    expect(seen.books_.get(id)?.sequence).toBeGreaterThan(before);
    await until(() => expect(seen.confirmedAt).toBeInstanceOf(Date), 3_000);
  });

  test('notices a missing message and reads all books again', async () => {
    const id = someListing(running.venue);
    await running.control('stream', { drop: 1 });
    await freeze(id, '0.31');
    expect(bestBid(id)).toBe(432_100n);
    await until(() => expect(bestBid(id)).toBe(310_000n), 4_000);
    expect(seen.books_.get(id)?.feed).toBe('rest');
    expect(seen.log).toContainEqual(expect.stringMatching(/^down: expected message \d+ but received \d+/));
    await until(() => expect(watch.connected).toBe(true));
  });

  test('says what happens to a market', async () => {
    const id = someListing(running.venue, 'taiwan');
    await running.control('resolve', { listingId: id, outcome: 'SPLIT', yesWorth: '0.4' });
    const told = () =>
      seen.changes_
        .flatMap((change) => (change.type === 'event' ? change.event.markets : []))
        .findLast((market) => market.listingId === id)?.resolution;
    await until(async () => expect(await told()).toMatchObject({ outcome: 'SPLIT', yesWorthMicros: 400_000n }));
    await running.control('reopen', { listingId: id });
    await until(async () => expect(await told()).toBeNull());
  });

  test('comes back after a cut, and after a restart on another port with the state as it was', async () => {
    await running.control('stream', { cut: true });
    await until(() => expect(seen.log.at(-1)).toBe('down: the connection ended'));
    await until(() => expect(watch.connected).toBe(true), 5_000);
    const id = someListing(running.venue);
    await freeze(id, '0.27');
    await running.restart();
    seen.books_.clear();
    await until(() => expect(bestBid(id)).toBe(270_000n), 8_000);
    await until(() => expect(watch.connected).toBe(true), 5_000);
  });

  test('takes silence for a dead connection', { tags: 'proof' }, async () => {
    const before = seen.log.length;
    await running.control('stream', { muteMs: 7_000 });
    await until(() => expect(seen.log.slice(before)).toContainEqual('down: the connection ended'), 8_000);
    await until(() => expect(watch.connected).toBe(true), 8_000);
  });
});
