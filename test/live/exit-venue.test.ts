/** The venue of a live exit is chosen in micro-contracts, never in floating point. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setBook, type TestMarket } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let market: TestMarket;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive({ job: false });
  const { sql } = live;
  market = await live.openMarket('exits', { bids: [['0.48', '10000']], asks: [['0.50', '10000']] });
  await sql`
    insert into listings (venue, listing_id, contract_id, rank, feed, book_updated_at, book_confirmed_at, fee_model, fee_bps, fee_known,
      minimum_minor, minimum_quantity_micros, quantity_step_micros, revision)
    select 'paper-2', 'exits-2', contract_id, 1, 'websocket', now(), now(), 'of_cost', 0, true, 100, 0, 10000, revision
    from contracts where contract_id = ${market.contractId}`;
  await setBook(sql, market, { bids: [['0.49', '10000']], asks: [['0.50', '10000']] }, 'paper-2');
  await live.context.board.refresh();
  tenant = await live.tenant();
});
afterAll(() => live.close());

test('a venue that holds exactly what is sold is enough', async () => {
  const { sql } = live;
  const { operatorId } = tenant.operator;
  const exactly = 1.000007;
  // the product is above the 1,000,007 micro-contracts that are meant
  expect(exactly * 1_000_000).toBeGreaterThan(1_000_007);
  await tenant.quote('ana', { marketId: market.contractId });
  await sql`
    insert into positions (operator_id, position_id, external_user_id, contract_id, side, simulated, quantity_micros, cost_basis_minor,
      entry_fees_minor, price_weight, average_price_micros, opened_at, updated_at)
    values (${operatorId}, 'pos_exits', 'ana', ${market.contractId}, 'YES', false, 1500007, 80, 0, 750003500000, 500000, now(), now())`;
  // the other venue bids more and holds too little
  await sql`
    insert into position_holdings (operator_id, position_id, venue, quantity_micros)
    values (${operatorId}, 'pos_exits', 'paper', 1000007), (${operatorId}, 'pos_exits', 'paper-2', 500000)`;
  const quoted = await tenant.quote('ana', {
    marketId: market.contractId,
    action: 'sell',
    stake: undefined,
    contracts: exactly,
  });
  expect([quoted.status, quoted.body.executionPrice], quoted.text).toEqual([200, 0.48]);
});
