/** The adapter's feed against a real venue on a real socket: snapshots, gaps, silence, cuts and restarts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openJournal } from '../../src/paper/journal.ts';
import type { Watch } from '../../src/venues/port.ts';
import { type Running, Seen, someListing, startVenue } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'paper-'));
let running: Running;
let watch: Watch;
const seen = new Seen();

beforeAll(async () => {
  running = await startVenue({ journal: () => openJournal(folder, 'paper') });
  watch = await running.adapter.watch(seen);
  await vi.waitUntil(() => watch.connected, { timeout: 5_000 });
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
    await expect.poll(() => bestBid(id)).toBe(432_100n);
    expect(seen.books_.get(id)).toMatchObject({ feed: 'websocket', asks: [] });
    expect(seen.books_.get(id)?.sequence).toBeGreaterThan(before);
    await expect.poll(() => seen.confirmedAt, { timeout: 3_000 }).toBeInstanceOf(Date);
  });

  test('notices a missing message and reads all books again', async () => {
    const id = someListing(running.venue);
    await running.control('stream', { drop: 1 });
    await freeze(id, '0.31');
    expect(bestBid(id)).toBe(432_100n);
    await expect.poll(() => bestBid(id), { timeout: 4_000 }).toBe(310_000n);
    expect(seen.books_.get(id)?.feed).toBe('rest');
    expect(seen.log).toContainEqual(expect.stringMatching(/^down: expected message \d+ but received \d+/));
    await expect.poll(() => watch.connected).toBe(true);
  });

  test('says what happens to a market', async () => {
    const id = someListing(running.venue, 'taiwan');
    await running.control('resolve', { listingId: id, outcome: 'SPLIT', yesWorth: '0.4' });
    const told = () =>
      seen.changes_
        .flatMap((change) => (change.type === 'event' ? change.event.markets : []))
        .findLast((market) => market.listingId === id)?.resolution;
    await expect.poll(told).toMatchObject({ outcome: 'SPLIT', yesWorthMicros: 400_000n });
    await running.control('reopen', { listingId: id });
    await expect.poll(told).toBeNull();
  });

  test('comes back after a cut, and after a restart on another port with the state as it was', async () => {
    await running.control('stream', { cut: true });
    await expect.poll(() => seen.log.at(-1)).toBe('down: the connection ended');
    await expect.poll(() => watch.connected, { timeout: 5_000 }).toBe(true);
    const id = someListing(running.venue);
    await freeze(id, '0.27');
    await running.restart();
    seen.books_.clear();
    await expect.poll(() => bestBid(id), { timeout: 8_000 }).toBe(270_000n);
    await expect.poll(() => watch.connected, { timeout: 5_000 }).toBe(true);
  });

  test('takes silence for a dead connection', async () => {
    const before = seen.log.length;
    await running.control('stream', { muteMs: 7_000 });
    await expect.poll(() => seen.log.slice(before), { timeout: 8_000 }).toContainEqual('down: the connection ended');
    await expect.poll(() => watch.connected, { timeout: 8_000 }).toBe(true);
  });
});
