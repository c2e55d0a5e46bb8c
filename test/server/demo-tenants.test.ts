/** The tenants of a development machine: what a first visitor tries with them ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createDemoTenants } from '../../src/server/demo/demo-tenants.ts';
import { startLive } from '../support/live.ts';

// contract 32.18
test('with the demo key the rehearsal of a live order ends, and its hold is gone', {
  timeout: 60_000,
}, async () => {
  const live = await startLive();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-demo-'));
  try {
    const { sql } = live.service;
    await sql`update operators set slug = 'not-' || slug where slug in ('demo', 'demo-live')`;
    const made = await createDemoTenants(live.service.database.url, folder, 8080);
    expect(made.map(({ slug, mode }) => [slug, mode])).toEqual([
      ['demo', 'sandbox'],
      ['demo-live', 'live'],
    ]);
    const call = (method: string, path: string, body?: object) =>
      live.service.request(method, `/api/v1/${path}`, { key: made[0]?.apiKey ?? '', user: 'ann', body });
    const { body: quote } = await call('POST', 'quotes', {
      marketId: live.market.contractId,
      side: 'YES',
      action: 'buy',
      stake: 10,
    });
    const placed = await call('POST', 'orders', {
      quoteId: quote.quoteId,
      clientOrderId: 'rehearsal',
      executionIntent: 'record_intent',
    });
    expect(placed.body.status).toBe('reserve_pending');
    await call('POST', `orders/${placed.body.orderId}/confirm-reserve`, { reserveReference: 'hold-1' });
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', `orders/${placed.body.orderId}`);
        expect([body.status, body.settlementState]).toEqual(['filled', 'settled']);
      },
      { timeout: 30_000, interval: 200 },
    );
    expect((await call('GET', 'users/ann/balance')).body).toMatchObject({ held: '0.00', total: '9990.00' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await live.close();
  }
});
