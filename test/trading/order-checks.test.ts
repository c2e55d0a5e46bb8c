/** What the money statements check before anything else is looked at: the replay, the closing time, the quote's own row, the rows of the journal. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documented } from '../support/documented.ts';
import type { TestMarket } from '../support/market.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
beforeAll(async () => {
  service = await documented(await openWorld());
  market = await service.openMarket('checked');
});
afterAll(() => service.close());

const quote = (user: string, body: object = {}) =>
  service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10, ...body },
  });
const order = (user: string, body: object) => service.request('POST', '/api/v1/orders', { user, body });

// contract 10.4
test('an order is replayed while trading is paused, and a new one is refused', async () => {
  const quoted = await quote('ana');
  const unspent = await quote('ana');
  const body = { quoteId: quoted.body.quoteId, clientOrderId: 'a-1' };
  const placed = await order('ana', body);
  expect(placed.status).toBe(201);
  const { operatorId } = service.operator;
  await service.sql`update operators set trading_paused = true where operator_id = ${operatorId}`;
  // until the pause has reached the process that answers
  await until(async () => expect((await quote('ana')).body.error).toBe('trading_paused'), 8_000);
  const again = await order('ana', body);
  expect([again.status, again.body.orderId, again.body.idempotentReplay]).toEqual([200, placed.body.orderId, true]);
  expect(again.body.operatorMoney).toEqual(placed.body.operatorMoney);
  const other = await order('ana', { quoteId: unspent.body.quoteId, clientOrderId: 'a-1' });
  expect(other.body.error).toBe('idempotency_conflict');
  const refused = await order('ana', { quoteId: unspent.body.quoteId, clientOrderId: 'a-2' });
  expect([refused.status, refused.body.error]).toEqual([409, 'trading_paused']);
  await service.sql`update operators set trading_paused = false where operator_id = ${operatorId}`;
  await until(async () => expect((await quote('ana')).status).toBe(200), 8_000);
});

// contract 9.14, contract 10.12
test('after closesAt there is no quote and no order, whether or not ingestion has closed the market', async () => {
  const closing = await service.openMarket('closing');
  const quoted = await quote('ben', { marketId: closing.contractId });
  expect(quoted.status).toBe(200);
  await service.sql`update contracts set closes_at = clock_timestamp() where contract_id = ${closing.contractId}`;
  const late = await order('ben', { quoteId: quoted.body.quoteId, clientOrderId: 'b-1' });
  expect([late.status, late.body.error]).toEqual([422, 'market_not_open']);
  const again = await quote('ben', { marketId: closing.contractId });
  expect([again.status, again.body.error]).toEqual([422, 'market_not_open']);
  const intent = await order('ben', {
    quoteId: quoted.body.quoteId,
    clientOrderId: 'b-2',
    intent: 'record_intent',
    reserveReference: 'r',
  });
  expect(intent.body.error).toBe('market_not_open');
});

test('an order that was decided on other terms than the quote has is decided again', async () => {
  const quoted = await quote('cat');
  // what this process remembers of the quote is not what was recorded
  const owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  await owner.query(
    'update quotes set authorization_minor = 500, fee_minor = 10, trade_minor = 490, quantity_micros = 8596491 where quote_id = $1',
    [quoted.body.quoteId],
  );
  await owner.end();
  const placed = await order('cat', { quoteId: quoted.body.quoteId, clientOrderId: 'c-1' });
  expect(placed.status, placed.text).toBe(201);
  expect(placed.body.operatorMoney).toMatchObject({ authorizationAmount: '5.00', actualDebit: '5.00' });
});

test('a statement records the rows of the commands that it accepts, all of them or nothing', async () => {
  const { operatorId } = service.operator;
  const placed = await quote('dan').then((quoted) =>
    order('dan', { quoteId: quoted.body.quoteId, clientOrderId: 'd-1' }),
  );
  expect(placed.status, placed.text).toBe(201);
  const last = async () =>
    (await service.sql`select sequence::int from operator_ledgers where operator_id = ${operatorId}`)[0]?.['sequence'];
  const before = await last();
  const row = { operator_id: operatorId, kind: 'order_sent', items: 1, external_user_id: 'dan' };
  const move = (moved: object, entry: object) =>
    service.sql`
      select * from move_orders('', array[json_populate_record(null::order_row, ${JSON.stringify(moved)}::text::json)],
        array[null::order_effects], array[json_populate_record(null::journal_row, ${JSON.stringify(entry)}::text::json)], '{1}')`;

  // an unknown order is refused, and its row is left out
  const unknown = { operator_id: operatorId, order_id: 'none', external_user_id: 'ana' };
  expect((await move(unknown, row)).map(({ code }) => code)).toEqual(['unknown_order']);
  expect(await last()).toBe(before);

  const [stored] =
    await service.sql`select version::int, to_json(o) as known from orders o where order_id = ${placed.body.orderId}`;
  const known = stored?.['known'];
  // an operator who has no ledger, a customer who has no wallet
  for (const lost of [
    { operator_id: 'op_nobody' },
    { external_user_id: 'nobody', funds: 'wallet', available: 5, held: -5 },
  ]) {
    await expect(move(known, { ...row, ...lost })).rejects.toMatchObject({ code: 'IN004' });
  }
  const [after] = await service.sql`select version::int from orders where order_id = ${placed.body.orderId}`;
  expect(after?.['version']).toBe(stored?.['version']);
  expect(await last()).toBe(before);
});
