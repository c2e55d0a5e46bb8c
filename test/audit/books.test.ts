/** The auditor reads worlds that nobody damaged, and finds nothing: the recorded one, and a random one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPARISONS } from '../../src/audit/compare.ts';
import { readOn } from '../../src/audit/read-on.ts';
import type { Sql } from '../../src/db/client.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { settleWaiting } from '../../src/sandbox/resolve-position.ts';
import { type GoldenWorld, recordWorld } from '../golden/world.ts';
import { openChance } from '../support/random.ts';
import { openWorld, type World } from '../support/world.ts';

async function findings(sql: Sql, operatorId: string) {
  await readOn(sql, operatorId, toldOf);
  return (await Promise.all(COMPARISONS.map((compare) => compare(sql, operatorId)))).flat();
}

describe('the recorded world', () => {
  let world: GoldenWorld;
  beforeAll(async () => {
    world = await recordWorld();
  }, 120_000);
  afterAll(() => world.close());

  test.each(['sandbox', 'live'])('of the %s operator nothing differs', async (name) => {
    const operatorId = world.tenants.find((one) => one.name === name)?.tenant.operator.operatorId ?? '';
    expect(await findings(world.live.sql, operatorId)).toEqual([]);
    const [read] = await world.live.sql`
      select progress.sequence = ledger.sequence as whole, (select count(*) > 3 from audit.orders o where o.operator_id = ${operatorId}) as orders
      from audit.progress progress join operator_ledgers ledger using (operator_id) where operator_id = ${operatorId}`;
    expect(read).toEqual({ whole: true, orders: true });
  });
});

describe('300 orders drawn at random', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await trade(world);
  }, 240_000);
  afterAll(() => world.close());

  test('nothing differs', { tags: 'proof' }, async () => {
    expect(await findings(world.sql, world.operator.operatorId)).toEqual([]);
  });
});

async function trade(world: World): Promise<void> {
  const chance = openChance(42);
  const { pick } = chance;
  const stake = () => (chance.below(5_000) + 100) / 100;
  const ask = (method: string, path: string, body?: object) =>
    world.request(method, `/api/v1/${path}`, { ...(body && { body }) });
  const markets = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => world.openMarket(`random-${name}`)));
  const users = ['ana', 'ben', 'cem', 'dan', 'eva'];
  for (let place = 0; place < 300; place += 1) {
    const [market, user, side] = [pick(markets), pick(users), pick(['YES', 'NO'] as const)];
    const dice = chance.below(100) / 100;
    if (dice < 0.1) {
      await ask('POST', 'sandbox/scenarios', { kind: 'partial_fill', fillFraction: pick([0.1, 0.333, 0.5, 0.9]) });
    }
    if (dice < 0.6) {
      await world.buy(market, user, side, stake());
    } else if (dice < 0.7) {
      const order = await world.buy(market, user, side, stake(), { executionIntent: 'record_intent' });
      await ask('POST', `orders/${order.orderId}/${pick(['cancel', 'confirm-reserve'])}`);
    } else {
      const { body } = await ask('GET', `positions?status=open&externalUserId=${user}`);
      const held = body.positions.find((one: { contractId: string }) => one.contractId === market.contractId);
      if (held !== undefined) {
        const part = pick([0.1, 0.5, 0.77, 1]);
        const contracts = part === 1 ? held.contracts : Math.floor(held.contracts * part * 1e6) / 1e6;
        await world.sell(market, user, contracts, held.side).catch(() => undefined);
      }
    }
    if (place === 150 || place === 250) {
      const [first, second, third] = markets.slice(place === 150 ? 0 : 3);
      if (first && second && third) {
        await world.resolve(first, 'YES');
        await world.resolve(second, 'VOID');
        await world.resolve(third, 'SPLIT', 370_000n);
        markets.splice(
          place === 150 ? 0 : 3,
          3,
          ...(await Promise.all([1, 2, 3].map((n) => world.openMarket(`random-${place}-${n}`)))),
        );
      }
    }
  }
  await settleWaiting(world.sql);
}
