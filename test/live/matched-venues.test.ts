/** Live orders on a contract that a person matched at two venues: to the better one, also the other way round, to the cent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchListings, readListing, unmatchListings } from '../../src/markets/matching.ts';
import { comparePositions } from '../../src/trading/account/our-side.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
let here: TestMarket;
let there: TestMarket;
let groupKey: string;
const [first, second] = [new ScriptedVenue(), new ScriptedVenue('paper-2')];

beforeAll(async () => {
  live = await openLive({ job: false });
  const { sql, context } = live;
  here = await live.openMarket('here', { bids: [['0.40', '10000']], asks: [['0.50', '10000']] });
  // its YES is our NO: our YES costs 1 - 0.53 there
  there = await live.openMarket(
    'there',
    { bids: [['0.53', '10000']], asks: [['0.58', '10000']] },
    { venue: 'paper-2' },
  );
  const listings = [await readListing(sql, 'paper:here-listing'), await readListing(sql, there.contractId)] as const;
  ({ groupKey } = await matchListings(sql, listings, { inverse: true, note: null }));
  await context.board.refresh();
  tenant = await live.tenant();
  await live.startJob(first, second);
});
afterAll(() => live.close());

const sentTo = (venue: ScriptedVenue) => [...venue.received.values()].flat();

test('a buy of YES goes as a buy of NO to the venue that lists the opposite, and is booked to the cent', async () => {
  const bought = await tenant.place('ana', { reserveReference: 'r' }, { marketId: here.contractId });
  expect(bought.body, bought.text).toMatchObject({
    status: 'filled',
    side: 'YES',
    averagePrice: 0.47,
    routing: { reason: 'best_price', consideredVenues: 2 },
  });
  expect(sentTo(first)).toEqual([]);
  expect(sentTo(second)).toMatchObject([
    { listingId: 'there-listing', side: 'NO', action: 'BUY', limitPriceMicros: 470_000n },
  ]);
  const quantityMicros = sentTo(second)[0]?.quantityMicros ?? 0n;
  // 10.00 with 2 % of our fee buys 20.85 contracts at 0.47
  expect(bought.body.operatorMoney.actualDebit).toBe('10.00');
  expect(quantityMicros % 10_000n).toBe(0n);
  const [position] = await live.sql<{ side: string; quantityMicros: bigint; contractId: string }[]>`
    select side, quantity_micros, contract_id from positions where operator_id = ${tenant.operator.operatorId}`;
  expect(position).toEqual({ side: 'YES', quantityMicros, contractId: here.contractId });
  // the account there holds NO, and so do the books
  const held = await second.account.positions();
  expect(held).toEqual([{ listingId: 'there-listing', side: 'NO', quantityMicros }]);
  expect(await comparePositions(live.sql, 'paper-2', {}, held)).toMatchObject([
    { theirs: { yes: 0n, no: quantityMicros }, ours: { yes: 0n, no: quantityMicros } },
  ]);
  expect(await comparePositions(live.sql, 'paper', {}, [])).toEqual([]);
  expect(await tenant.audit()).toEqual([]);
});

test('what is held at the other venue is sold there, also after the match has ended, and nothing more is bought there', async () => {
  const { sql, context } = live;
  const waiting = await tenant.place('bea', {}, { marketId: here.contractId });
  expect(waiting.body.status).toBe('reserve_pending');
  const ended = await unmatchListings(sql, groupKey);
  expect(ended.apart, 'a position is held across').toEqual([]);
  await context.board.refresh();
  const quoted = await tenant.quote('ana', { marketId: here.contractId });
  expect(quoted.body).toMatchObject({ executionPrice: 0.5, routing: { consideredVenues: 1, routable: false } });
  const before = sentTo(second).length;
  expect(await tenant.confirm(waiting.body.orderId)).toMatchObject({ status: 200 });
  await until(
    async () =>
      expect(await tenant.read(waiting.body.orderId)).toMatchObject({
        rejectReason: null,
        cancelReason: 'line_not_available',
      }),
    20_000,
  );
  expect(sentTo(second)).toHaveLength(before);

  await setBook(sql, there, { bids: [['0.50', '10000']], asks: [['0.55', '10000']] }, 'paper-2');
  await context.board.refresh();
  // the opposite sells at 1 - 0.55
  const sale = { marketId: here.contractId, action: 'sell', stake: undefined, contracts: 5 };
  const sold = await tenant.place('ana', { reserveReference: 's' }, sale);
  expect(sold.body, sold.text).toMatchObject({ status: 'filled', action: 'sell', averagePrice: 0.45 });
  expect(sentTo(second).at(-1)).toMatchObject({ side: 'NO', action: 'SELL', limitPriceMicros: 450_000n });
  expect(sold.body.operatorExitMoney.sellProceeds).toBe('2.20');
  expect(await tenant.audit()).toEqual([]);
});
