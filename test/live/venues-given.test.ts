/** Which venues a deployment has: what is only read prices nothing live, and one with open orders is not taken out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive({ job: false });
  tenant = await live.tenant();
});
afterAll(() => live.close());

// contract 19.4
test('a venue that is only read prices no quote of a live operator', async () => {
  const market = await live.openMarket('read-only', undefined, { venue: 'kalshi' });
  const refused = await tenant.quote('ana', { marketId: market.contractId });
  expect([refused.status, refused.body.error]).toEqual([409, 'line_not_available']);
  const sandbox = await live.tenant({ mode: 'sandbox' });
  expect((await sandbox.quote('ana', { marketId: market.contractId })).status).toBe(200);
});

test('of two venues the one that can trade prices it, whichever comes first', async () => {
  const { sql, context } = live;
  const market = await live.openMarket('both', undefined, { venue: 'kalshi' });
  await sql`
    insert into listings (venue, listing_id, contract_id, rank, feed, book_updated_at, book_confirmed_at, fee_model, fee_bps, fee_known,
      minimum_minor, minimum_quantity_micros, quantity_step_micros, bid_prices, bid_sizes, ask_prices, ask_sizes, book_revision, revision)
    select 'paper', 'both-2', contract_id, 1, 'websocket', now(), now(), 'of_cost', 0, true, 100, 0, 10000,
      bid_prices, bid_sizes, array[600000]::bigint[], array[100000000000]::bigint[], book_revision, revision
    from listings where contract_id = ${market.contractId}`;
  await sql`
    with r as (update board_revision set revision = revision + 1 returning revision), l as (
      update listings set revision = r.revision from r where contract_id = ${market.contractId})
    update contracts c set revision = r.revision from r where c.contract_id = ${market.contractId}`;
  await context.board.refresh();
  const quoted = await tenant.quote('ana', { marketId: market.contractId });
  expect(quoted.body, quoted.text).toMatchObject({ executionPrice: 0.6, routing: { consideredVenues: 1 } });
});

async function startWithout(venues: string): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [join(projectRoot, 'src/jobs/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: live.database.url,
      INLAY_DATA_DIR: live.context.environment.dataDir,
      INLAY_SECRET: 'a secret that only tests know',
      INLAY_VENUES: venues,
      LOG_LEVEL: 'error',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      said += text.toString();
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [code] = (await once(child, 'exit')) as [number];
  clearTimeout(timer);
  return { code, said };
}

test('a worker without a venue at which orders are open does not start, and says which', async () => {
  live.venue.script = (_, venue) => venue.silence();
  const job = await live.startJob();
  const { orderId } = (await tenant.place('ben')).body;
  await tenant.confirm(orderId);
  await until(
    () => tenant.read(orderId),
    (order) => order.status === 'submitted',
  );
  await job.close();
  const { code, said } = await startWithout('paper-2');
  expect(code).not.toBe(0);
  expect(said).toContain('INLAY_VENUES: orders are still open at paper (1 open)');
}, 60_000);

test('an order that waits for a venue which is no longer there is withdrawn', async () => {
  const { orderId } = (await tenant.place('cyd')).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  const job = await live.startJob(new ScriptedVenue('paper-2'));
  try {
    const order = await until(
      () => tenant.read(orderId),
      (one) => one.status === 'cancelled',
    );
    expect(order.operatorMoney).toMatchObject({ actualDebit: '0.00', releaseAmount: '10.00' });
  } finally {
    await job.close();
  }
}, 30_000);
