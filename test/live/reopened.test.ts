/** A result that a person withdraws changes what we say, and not what a venue paid: our account there still agrees with the books. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reopenMarket, resolveMarket } from '../../src/markets/decisions.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { listStops } from '../../src/trading/account/venue-findings.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { type Running, someListing, startVenue } from '../venues/support.ts';

let live: Live;
let paper: Running;
let tenant: Tenant;
let job: { close(): Promise<void> };
let listingId: string;
let contractId: string;
let orders = 0;

beforeAll(async () => {
  live = await openLive({ job: false });
  paper = await startVenue();
  listingId = someListing(paper.venue);
  await paper.control('book', { listingId, bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  contractId = (await live.openMarket('paper', undefined, { listingId })).contractId;
  tenant = await live.tenant();
  // the opening balance
  expect(await compare()).toEqual([]);
  job = await live.startJob(paper.adapter);
});
afterAll(async () => {
  await job?.close();
  await paper?.close();
  await live.close();
});

const compare = () => compareAccount({ ...createRecordPorts(live.sql), log: live.context.log }, paper.adapter, 0, 0);

async function buy(): Promise<void> {
  orders += 1;
  const { orderId } = (await tenant.place(`player-${orders}`, {}, { marketId: contractId })).body;
  await tenant.confirm(orderId);
  await until(
    () => tenant.read(orderId),
    ({ status }) => status === 'filled',
    30_000,
  );
}

/** As the catalogue of the venue says it. */
async function venueSays(resolution: string | null): Promise<void> {
  const { sql } = live;
  await sql`
    with said as (
      insert into contract_resolutions (contract_id, version, resolution, source, applied, occurred_at)
      select ${contractId}, 1 + max(version), ${resolution}, 'venue', true, now() from contract_resolutions where contract_id = ${contractId}
      returning version)
    update contracts set venue_resolution = ${resolution}, resolution = ${resolution}, resolution_version = said.version,
      resolved_by = ${resolution && 'venue'}, resolved_at = case when ${resolution !== null} then now() end,
      status = case when ${resolution !== null} then 'resolved' else 'open' end
    from said where contract_id = ${contractId}`;
}

async function expectClean(): Promise<void> {
  expect(await compare()).toEqual([]);
  expect(await listStops(live.sql)).toEqual([]);
}

// contract 17.4
test('after a market whose live positions were settled is reopened, the comparison is clean and trading goes on', async () => {
  const { sql } = live;
  await buy();
  await resolveMarket(sql, contractId, { resolution: 'YES', splitYesMicros: null });
  expect(await settleMarket(sql, contractId)).toBe(1);
  await expectClean();
  expect(await reopenMarket(sql, contractId)).toMatchObject({ changed: true, status: 'open' });
  // the venue has no result: it still holds what we have paid for
  expect(await paper.adapter.account?.positions()).toHaveLength(1);
  await expectClean();
  await live.context.board.refresh();
  await buy();
  await expectClean();
}, 60_000);

// contract 17.4
test('what the venue has paid stays paid there when we withdraw its result', async () => {
  const { sql } = live;
  await paper.control('resolve', { listingId, outcome: 'YES' });
  await venueSays('YES');
  expect(await settleMarket(sql, contractId)).toBe(1);
  await expectClean();
  const paid = await paper.adapter.account?.balanceMicros();
  await reopenMarket(sql, contractId);
  await expectClean();
  expect(await paper.adapter.account?.balanceMicros()).toBe(paid);
  expect(await paper.adapter.account?.positions()).toEqual([]);

  // the venue itself withdraws it and takes back what it paid
  await paper.control('reopen', { listingId });
  await venueSays(null);
  await expectClean();
}, 60_000);
