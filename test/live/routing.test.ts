/** Listings of one contract at two venues: the best price after fees is quoted, and the order goes to the venue that gave it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setBook, type TestBook, type TestMarket } from '../support/market.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let market: TestMarket;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive({ job: false });
  const { sql } = live;
  market = await live.openMarket('twice', { bids: [['0.48', '10000']], asks: [['0.50', '10000']] });
  await sql`
    insert into listings (venue, listing_id, contract_id, rank, feed, book_updated_at, book_confirmed_at, fee_model, fee_bps, fee_known,
      minimum_minor, minimum_quantity_micros, quantity_step_micros, revision)
    select 'paper-2', 'twice-2', contract_id, 1, 'websocket', now(), now(), 'of_cost', 0, true, 100, 0, 10000, revision
    from contracts where contract_id = ${market.contractId}`;
  await sql`insert into routing_groups (group_key, verified_by, verified_at) values ('twice', 'a person', now())`;
  await sql`update contracts set group_key = 'twice' where contract_id = ${market.contractId}`;
  tenant = await live.tenant();
});
afterAll(() => live.close());

async function second(book: TestBook, feeBps: number): Promise<void> {
  const { sql, context } = live;
  await sql`update listings set fee_bps = ${feeBps} where venue = 'paper-2'`;
  await setBook(sql, market, { bids: [['0.48', '10000']], asks: [['0.50', '10000']] });
  await setBook(sql, market, book, 'paper-2');
  await context.board.refresh();
}

async function quoted(body: object = {}) {
  const answer = await tenant.quote('ana', { marketId: market.contractId, ...body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

// contract 11.8
test('a cheaper price with a dearer fee loses; with a fair one it wins, and the order and its exit go there', async () => {
  const cheap: TestBook = { bids: [['0.40', '10000']], asks: [['0.49', '10000']] };
  await second(cheap, 500);
  expect(await quoted()).toMatchObject({ executionPrice: 0.5, routing: { consideredVenues: 2, routable: true } });
  await second(cheap, 100);
  const quote = await quoted();
  expect(quote).toMatchObject({ executionPrice: 0.49, routing: { consideredVenues: 2, routable: true } });

  const [first, other] = [new ScriptedVenue(), new ScriptedVenue('paper-2')];
  await live.startJob(first, other);
  const filled = async (quoteId: string, clientOrderId: string) => {
    const { body } = await tenant.order('ana', { quoteId, clientOrderId, reserveReference: 'r' });
    // the job has just started, and may first have to compare two accounts
    return until(
      () => tenant.read(body.orderId),
      ({ status }) => status === 'filled',
    );
  };
  const bought = await filled(quote.quoteId, 'routed');
  expect(bought).toMatchObject({ routing: { reason: 'best_price', consideredVenues: 2 } });
  expect([first.received.size, other.received.size]).toEqual([0, 1]);

  // what is held there is sold there, though the other one bids more
  const exit = await quoted({ action: 'sell', stake: undefined, contracts: 5 });
  expect(exit).toMatchObject({ executionPrice: 0.4, routing: { consideredVenues: 1, routable: true } });
  const sold = await filled(exit.quoteId, 'routed-exit');
  expect(sold).toMatchObject({ action: 'sell', routing: { reason: 'single_venue', consideredVenues: 1 } });
  expect([first.received.size, other.received.size]).toEqual([0, 2]);
  expect(JSON.stringify([quote, bought, exit, sold])).not.toContain('paper');
}, 60_000);
