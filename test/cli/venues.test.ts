/** `venues list|account|compare`: what our account at the paper venue holds, beside the books, and exit 5 where they differ. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendOrder } from '../support/live-paper.ts';
import type { RunCommand } from '../support/run-command.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';
import { type Running, someListing, startVenue } from '../venues/support.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let live: Live;
let paper: Running;
let tenant: Tenant;
let marketId: string;
let listingId: string;
let inlay: RunCommand;

beforeAll(async () => {
  live = await openLive({ job: false });
  paper = await startVenue();
  const { sql } = live;
  listingId = someListing(paper.venue);
  await paper.control('book', { listingId, bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  marketId = (await live.openMarket('paper', undefined, { listingId })).contractId;
  await sql`insert into settings (name, value) values ('venue:paper', ${sql.json({ url: paper.venue.url })})`;
  tenant = await live.tenant();
  inlay = await live.commands({ INLAY_VENUES: 'paper,kalshi' });
});
afterAll(async () => {
  await paper.close();
  await live.close();
});

// contract 39.16, contract 39.17
test('venues list, account and compare show our account next to the books, and a difference is exit 5', async () => {
  expect((await inlay('venues', 'compare', 'paper', '--json')).json).toMatchObject({ venue: 'paper', ok: true });
  const { orderId } = (await tenant.place('ana', {}, { marketId })).body;
  await tenant.confirm(orderId);
  await sendOrder(live, paper.adapter, orderId);
  const { filledQuantity } = await tenant.read(orderId);

  const list = await inlay('venues', 'list', '--json');
  expect(list.json.venues).toMatchObject([
    { name: 'paper', mode: 'trades', clockOffsetMs: expect.any(Number), lastAnswerAt: expect.any(String), findings: 0 },
    { name: 'kalshi', mode: 'read_only', clockOffsetMs: null },
  ]);
  const account = await inlay('venues', 'account', 'paper', '--json');
  expect(account.json).toMatchObject({
    venue: 'paper',
    positions: [{ contractId: marketId, listingId, theirs: filledQuantity, ours: filledQuantity }],
    openOrders: [],
    redeemable: null,
  });
  expect(account.json.balance).toBeLessThan(1_000_000);
  expect((await inlay('venues', 'compare', 'paper')).exitCode).toBe(0);

  const foreign = { ourId: 'somebody-else', listingId, side: 'YES', action: 'BUY' } as const;
  const rest = { quantityMicros: 5_000_000n, limitPriceMicros: 600_000n, expiresAt: new Date(Date.now() + 5_000) };
  await paper.adapter.placeOrder({ ...foreign, ...rest }, () => true);
  const compared = await inlay('venues', 'compare', 'paper', '--json');
  expect([compared.exitCode, compared.json.ok]).toEqual([5, false]);
  expect(compared.json.findings.map(({ kind }: { kind: string }) => kind)).toEqual([
    'foreign_order',
    'foreign_fill',
    'position',
    'cash',
  ]);
  expect(compared.json.cash.agrees).toBe(false);
  expect(compared.json.positions).toMatchObject([{ listingId, theirs: filledQuantity + 5, ours: filledQuantity }]);
  expect((await inlay('venues', 'account', 'nowhere')).exitCode).toBe(3);
});

test('venues transfer records what was paid in, once a reference, and the comparison expects it', async () => {
  const expected = async () => (await inlay('venues', 'account', 'paper', '--json')).json.cash.expectedLeast;
  const before = await expected();
  const transfer = (amount: string, ...more: string[]) =>
    inlay('venues', 'transfer', 'paper', amount, '--reference', 'wire 1', '--json', ...more);
  const recorded = { venue: 'paper', reference: 'wire 1', amount: '25.000001' };
  expect((await transfer('25000001')).json).toMatchObject(recorded);
  expect((await transfer('25.000001')).json).toMatchObject(recorded);
  expect((await transfer('25000001', '--out')).json.error).toBe('idempotency_conflict');
  expect(await expected()).toBeCloseTo(before + 25.000001, 6);
  for (const wrong of ['0', '0.00', '-5', '1.0000001', 'ten']) {
    expect((await transfer(wrong)).exitCode, wrong).toBe(2);
  }
  expect((await inlay('venues', 'transfer', 'kalshi', '100', '--reference', 'r')).exitCode).toBe(2);
  const { json } = await inlay('venues', 'transfers', 'paper', '--json');
  expect(json.transfers).toMatchObject([{ kind: 'by_hand', reference: 'wire 1', amount: '25.000001' }]);
});
