/** A disk that is really full under PostgreSQL: a small tmpfs, where this user may mount one. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { startOwnServer } from '../support/own-server.ts';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';

const SIZE = '300m';
const MEGABYTE = Buffer.alloc(1024 * 1024);

function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

/** Writes until nothing fits. */
function fill(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (let size = MEGABYTE.length; size > 0; ) {
      try {
        writeSync(handle, MEGABYTE, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(handle);
  }
}

/** The log has a new segment, so that a table is what finds no room next. PostgreSQL as a whole stops where the log finds none. */
const beginLogSegment = (sql: Sql) => sql`
  select pg_logical_emit_message(false, 'padding', repeat('x', (size - (pg_current_wal_insert_lsn() - '0/0') % size)::integer), true)
  from (select pg_size_bytes(current_setting('wal_segment_size')) as size) segment`;

// contract 37.2
test('a full disk is 503 and seen by health, and all is well once there is room', {
  timeout: 180_000,
}, async ({ skip, onTestFinished }) => {
  const disk = mountDisk();
  skip(disk === undefined, 'this user cannot mount a tmpfs');
  const folder = disk ?? '';
  onTestFinished(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  const database = await startOwnServer(folder);
  onTestFinished(() => database.close());
  const service = await openWorld({ database });
  onTestFinished(() => service.close());
  const { contractId } = await service.openMarket('disk');
  const health = async () => (await service.request('GET', '/api/health', { key: null })).body;
  let number = 0;
  let accepted = 0;
  /** A quote and its order, each of a new customer. @returns the refusal, or the order */
  const trade = async () => {
    number += 1;
    const user = `ana-${number}`;
    const wish = { marketId: contractId, side: 'YES', action: 'buy', stake: 10 };
    const quote = await service.request('POST', '/api/v1/quotes', { user, body: wish });
    const order = { quoteId: quote.body.quoteId, clientOrderId: `order-${number}` };
    if (quote.status !== 200) {
      return quote;
    }
    const placed = await service.request('POST', '/api/v1/orders', { user, body: order });
    accepted += placed.status === 201 ? 1 : 0;
    return placed;
  };
  await beginLogSegment(database.sql);
  expect((await trade()).status).toBe(201);
  // Reads have a connection of their own now: PostgreSQL opens none while it cannot write its init file.
  expect((await service.request('GET', '/api/v1/orders')).status).toBe(200);
  const filler = join(folder, 'filler');
  fill(filler);
  const { status, body, headers } = await until(trade, (answer) => answer.status !== 201, 60_000);
  expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  expect(await health()).toMatchObject({ status: 'degraded', database: 'up' });
  await until(
    () => service.request('GET', '/api/v1/orders'),
    (answer) => answer.status === 200,
    10_000,
  );
  rmSync(filler);
  await until(trade, (answer) => answer.status === 201, 30_000);
  await until(health, (answer) => answer.status !== 'degraded', 30_000);
  const { body: listed } = await service.request('GET', '/api/v1/orders?limit=200');
  const { body: report } = await service.request('GET', '/api/v1/reconciliation');
  expect([listed.count, report.ok, report.findings]).toEqual([accepted, true, []]);
});
