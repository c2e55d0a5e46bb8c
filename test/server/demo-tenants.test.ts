/** The tenants of a development machine: what a first visitor tries with them ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDemoTenants } from '../../src/server/demo/demo.ts';
import { until } from '../support/until.ts';
import { openLive } from '../support/world.ts';

// contract 32.18
test('with the demo key the rehearsal of a live order ends, and its hold is gone', {
  timeout: 60_000,
}, async () => {
  const live = await openLive();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-demo-'));
  try {
    const { sql } = live;
    await sql`update operators set slug = 'not-' || slug where slug in ('demo', 'demo-live')`;
    const made = await createDemoTenants(live.database.url, folder, 8080);
    expect(made.map(({ slug, mode }) => [slug, mode])).toEqual([
      ['demo', 'sandbox'],
      ['demo-live', 'live'],
    ]);
    const call = (method: string, path: string, body?: object) =>
      live.request(method, `/api/v1/${path}`, { key: made[0]?.apiKey ?? '', user: 'ann', body });
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
    await until(async () => {
      const { body } = await call('GET', `orders/${placed.body.orderId}`);
      expect([body.status, body.settlementState]).toEqual(['filled', 'settled']);
    }, 30_000);
    expect((await call('GET', 'users/ann/balance')).body).toMatchObject({ held: '0.00', total: '9990.00' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await live.close();
  }
});

test('visitors of the demo page are customers of a tenant of their own, without a key', {
  timeout: 60_000,
}, async () => {
  const live = await openLive();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-demo-'));
  try {
    const { sql } = live;
    const port = Number(new URL(live.url).port);
    await createDemoTenants(live.database.url, folder, port);
    const post = (path: string, body: object) => live.request('POST', path, { key: null, body });
    const { contractId } = live.market;
    const wish = { marketId: contractId, side: 'YES', action: 'buy', stake: 10, user: 'demo-ana' };
    const { body: quote } = await post('/api/demo/quotes', wish);
    const order = { quoteId: quote.quoteId, clientOrderId: 'visit', user: 'demo-ana' };
    expect((await post('/api/demo/orders', order)).status).toBe(201);
    const customers = await sql`select o.slug from customers join operators o using (operator_id)
      where external_user_id like 'demo-%'`;
    expect(customers).toEqual([{ slug: 'demo-visitors' }]);
    const page = await (await fetch(`${live.url}/demo`)).text();
    expect(page).toContain('"operator":"demo-visitors"');
    expect(page).toContain('"slug":"demo"');
    const owners = await sql`select distinct o.slug from api_keys join operators o using (operator_id) order by 1`;
    expect(owners.map(({ slug }) => slug)).not.toContain('demo-visitors');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await live.close();
  }
});
