/** Calls straight at the shards: what is read on the coordinator before them, and what their copies refuse. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { callByShard, type Road } from '../../src/db/shards.ts';
import { readMarkets } from '../../src/markets/known-markets.ts';
import type { TestMarket } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { findCitus, serverAt } from './lab.ts';

const OPERATORS = 8;
let world: World;
let tenants: Tenant[];
beforeAll(async () => {
  world = await openWorld();
  tenants = [];
  for (let made = 0; made < OPERATORS; made += 1) {
    tenants.push(await world.tenant({ mode: 'sandbox' }));
  }
});
afterAll(() => world.close());

/** Issues a copy of a quote of each tenant. @param pause of the reader of markets, after its first reading. @param before that reading */
async function issueAgain(market: TestMarket, pause: () => Promise<void>, before = async () => {}) {
  const quotes = await Promise.all(
    tenants.map(async (tenant) => {
      const { body } = await tenant.quote('ana', { marketId: market.contractId });
      return { operatorId: tenant.operator.operatorId, quoteId: body.quoteId as string };
    }),
  );
  const [contract] = await world.sql<{ revision: string }[]>`
    select book_revision::text as revision from contracts where contract_id = ${market.contractId}`;
  const rows = new Map<string, string>();
  for (const { operatorId, quoteId } of quotes) {
    const [row] = await world.sql<{ quote: string }[]>`
      select (to_jsonb(q) || jsonb_build_object('quote_id', quote_id || 'x', 'hold_seconds', 30, 'book_revision', ${contract?.revision ?? ''}::text))::text as quote
      from quotes q where operator_id = ${operatorId} and quote_id = ${quoteId}`;
    rows.set(operatorId, row?.quote ?? '');
  }
  await before();
  const roads: Road[] = [];
  let readings = 0;
  const codes = await callByShard(
    world.sql,
    quotes,
    async (road, own, markets: readonly (string | null)[] | null) => {
      roads.push(road);
      const answers = await road.sql<{ code: string | null }[]>`
        select code from ${road.sql(road.schema)}.issue_quotes(${road.operatorId}, array(
            select jsonb_populate_record(null::quote_command, given::jsonb) from unnest(${own.map(({ operatorId }) => rows.get(operatorId) ?? '')}::text[]) given),
          ${markets === null ? null : [...markets]}::text[]::known_market[]) order by number`;
      return answers.map(({ code }) => code);
    },
    async (all) => {
      const read = await readMarkets(
        world.sql,
        all.map(() => market.contractId),
      );
      readings += 1;
      if (readings === 1) {
        await pause();
      }
      return read;
    },
  );
  return { codes, readings, roads };
}

test('operators of one shard share a call, and all calls share one reading of the markets', async () => {
  const market = await world.openMarket('shared');
  const { codes, readings, roads } = await issueAgain(market, async () => {});
  expect(codes).toEqual(tenants.map(() => null));
  expect(readings).toBe(1);
  expect(roads.every(({ schema, operatorId }) => /^shard_\d+$/.test(schema) && operatorId === '')).toBe(true);
  expect(new Set(roads.map(({ schema }) => schema)).size).toBe(roads.length);
  expect(roads.length).toBeLessThanOrEqual(4);
});

test('a market that is withdrawn while its reader pauses takes no quote, because it is read again', async () => {
  const market = await world.openMarket('withdrawn');
  const { codes, readings } = await issueAgain(market, async () => {
    await world.sql`select * from decide_market(${market.contractId}, 'pause')`;
    await timePasses(1_200);
  });
  expect(codes).toEqual(tenants.map(() => 'market_paused'));
  expect(readings).toBe(2);
});

test('a market that closes while its reader pauses takes no quote, by the clock of the shard', async () => {
  const market = await world.openMarket('closing');
  const closeSoon = async () => {
    await world.sql`update contracts set closes_at = now() + interval '400 ms' where contract_id = ${market.contractId}`;
  };
  const { codes, readings } = await issueAgain(market, () => timePasses(500), closeSoon);
  expect(codes).toEqual(tenants.map(() => 'market_not_open'));
  expect(readings).toBe(1);
});

test('a copy refuses operators of another shard, and a shard that its server does not have', async () => {
  const places = inject('places');
  const servers = places.slice(1).map((place) => serverAt(findCitus(process.env['CITUS_PG_CONFIG']), place));
  const market = await world.openMarket('astray');
  const { roads } = await issueAgain(market, async () => {});
  const [one, other] = roads as [Road, Road];
  const ofOther = await world.sql<{ operatorId: string }[]>`
    select operator_id from operator_ledgers where get_shard_id_for_distribution_column('operator_ledgers', operator_id)::text = ${other.schema.replace('shard_', '')} limit 1`;
  const refused = one.sql`select ${one.sql(one.schema)}.verify_place(${[ofOther[0]?.operatorId ?? '']}::text[])`;
  await expect(refused).rejects.toMatchObject({ code: '40001', message: 'another shard has an operator of the call' });
  const elsewhere = servers.find(({ port }) => port !== one.shard?.port);
  const astray = connect(world.database.url.replace(/:\d+\//, `:${elsewhere?.port}/`), {
    max: 1,
    applicationName: 'test',
  });
  await expect(astray`select ${astray(one.schema)}.verify_place(array[]::text[])`).rejects.toMatchObject({
    code: '40001',
    message: `another server has the shard ${one.shard?.shardId}`,
  });
  await astray.end();
});
