/** `venues redemptions list|record`: what waits at Polymarket and since when, and who recorded that it was redeemed. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, send } from '../emulators/polymarket-venue.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let exchange: PolymarketExchange;
let service: World;
let inlay: RunCommand;
let listingId: string;
let contractId: string;

beforeAll(async () => {
  exchange = await openPolymarketExchange();
  listingId = exchange.market.tokens[0];
  service = await openWorld();
  contractId = (await service.openMarket('redeemed', undefined, { listingId, venue: 'polymarket' })).contractId;
  const { url } = exchange.emulator;
  inlay = await service.commands({
    INLAY_VENUES: 'paper,polymarket',
    INLAY_POLYMARKET_URL: url,
    INLAY_POLYMARKET_CATALOGUE_URL: url,
    INLAY_POLYMARKET_DATA_URL: url,
    INLAY_POLYMARKET_PRIVATE_KEY_FILE: exchange.keyFile,
  });
});
afterAll(async () => {
  await exchange?.close();
  await service?.close();
});

const list = async () => (await inlay('venues/redemptions', 'list', 'polymarket', '--json')).json.redemptions;
const record = (listing: string, reference = '0x5f3a') =>
  inlay('venues/redemptions', 'record', 'polymarket', listing, '--reference', reference, '--as', 'ada', '--json');

test('a resolved position waits since its result, is recorded once the exchange no longer lists it, and by whom', async () => {
  expect(await list()).toEqual([]);
  expect(await send(exchange.venue, orderOf(exchange))).toMatchObject({ outcome: 'accepted' });
  exchange.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
  await service.sql`select * from decide_market(${contractId}, 'resolve', 'YES', null)`;
  // 20.217391 shares at one half
  expect(await list()).toEqual([
    {
      listingId,
      state: 'waits',
      contractId,
      contracts: 20.217391,
      pays: 10.108695,
      since: expect.stringMatching(/^\d{4}-/),
      reference: null,
      recordedBy: null,
    },
  ]);
  const early = await record(listingId);
  expect([early.exitCode, early.json.error]).toEqual([5, 'still_redeemable']);
  exchange.tell({ do: 'redeem' });
  expect((await record(listingId)).json).toMatchObject({ listingId, reference: '0x5f3a', recordedBy: SERVICE_ROLE });
  expect((await record(listingId)).exitCode).toBe(0);
  expect(await list()).toMatchObject([{ listingId, state: 'redeemed', reference: '0x5f3a', recordedBy: SERVICE_ROLE }]);
  const logged = await service.sql`
    select arguments, outcome, code from audit_log where note = 'ada' and outcome <> 'started' order by entry_no`;
  const typed = expect.arrayContaining(['polymarket', listingId, '0x5f3a']);
  expect([...logged]).toEqual([
    { arguments: typed, outcome: 'failed', code: 'still_redeemable' },
    { arguments: typed, outcome: 'done', code: null },
    { arguments: typed, outcome: 'done', code: null },
  ]);
});

test('a listing that the venue does not have, a venue that pays by itself, and a reference that is none', async () => {
  expect((await record('no-such-listing')).exitCode).toBe(3);
  expect((await record(listingId, ' ')).exitCode).toBe(2);
  const paper = await inlay('venues/redemptions', 'record', 'paper', listingId, '--reference', 'r', '--json');
  expect(paper.exitCode).toBe(2);
});
