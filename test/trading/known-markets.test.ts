/** What a money statement is told of markets, where the servers of operators' rows have none (docs/scale.md). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMarkets } from '../../src/markets/known-markets.ts';
import type { TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Issues a quote again under a new id, with a market that was read before. */
async function issue({ contractId }: TestMarket, market: string | null): Promise<string | null> {
  const { sql, operator } = world;
  const quoted = await world.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const [issued] = await sql<{ code: string | null }[]>`
    select issued.code from quotes q join contracts contract on contract.contract_id = q.contract_id
      cross join lateral issue_quotes(${operator.operatorId}, array[json_populate_record(null::quote_command,
        (to_jsonb(q) || jsonb_build_object('quote_id', id_at('quo', now()) || left(md5(random()::text), 20), 'hold_seconds', 30,
          'book_revision', contract.book_revision))::json)], ${[market]}::text[]::known_market[]) issued
    where q.quote_id = ${quoted.body.quoteId}`;
  return issued?.code ?? null;
}

/** The market with another time of closing or of reading, `seconds` from now. */
async function change(market: string | null, field: 'closes_at' | 'read_at', seconds: number): Promise<string | null> {
  const [row] = await world.sql<{ changed: string }[]>`
    select jsonb_populate_record(${market}::known_market, jsonb_build_object(${field}::text, now() + make_interval(secs => ${seconds})))::text as changed`;
  return row?.changed ?? null;
}

test('a market that was just read is as good as one that the statement reads', async () => {
  const market = await world.openMarket('just-read');
  const [known] = await readMarkets(world.sql, [market.contractId]);
  expect(await issue(market, known ?? null)).toBeNull();
  expect(await readMarkets(world.sql, ['ctr_unknown', market.contractId])).toEqual([
    null,
    expect.stringMatching(/^\(open,f,f,/),
  ]);
  expect(await issue(market, null)).toBe('market_not_found');
});

test('a market that was read more than a second ago is refused, and nothing is written', async () => {
  const market = await world.openMarket('long-read');
  const [known] = await readMarkets(world.sql, [market.contractId]);
  const quotes = () => world.sql`select quote_id from quotes where contract_id = ${market.contractId} order by 1`;
  await expect(issue(market, await change(known ?? null, 'read_at', -1.1))).rejects.toMatchObject({
    code: '40001',
    message: 'a market was read more than a second ago',
  });
  // that which it repeated
  expect((await quotes()).length).toBe(1);
  expect(await issue(market, await change(known ?? null, 'read_at', -0.5))).toBeNull();
});

test('a market that was open when it was read, and has closed since, takes nothing', async () => {
  const market = await world.openMarket('closed-since');
  const [known] = await readMarkets(world.sql, [market.contractId]);
  expect(await issue(market, await change(known ?? null, 'closes_at', -0.01))).toBe('market_not_open');
});
