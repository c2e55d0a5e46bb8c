/** Each check of the report, proven: data is damaged behind the back of the service, and the report names it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import type { Finding } from '../../src/wire/reconciliation.ts';
import type { AnyJson } from '../support/any-json.ts';
import { settlementsIn } from '../support/settlements.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let op = '';
let bought: AnyJson;
let intent: AnyJson;
let settlementId = '';

beforeAll(async () => {
  world = await openWorld();
  op = world.operator.operatorId;
  const market = await world.openMarket('sound');
  const settled = await world.openMarket('settled');
  bought = await world.buy(market, 'ana', 'YES', 10);
  await world.sell(market, 'ana', 5);
  await world.buy(settled, 'ben', 'NO', 20);
  await world.buy(settled, 'ben', 'YES', 20);
  intent = await world.buy(market, 'cem', 'YES', 50, { executionIntent: 'record_intent' });
  await world.resolve(settled, 'NO');
  const [row] = await world.sql`
    select settlement_id as settlement from ${settlementsIn(world.sql)} where outcome = 'won'`;
  settlementId = row?.['settlement'];
});
afterAll(() => world.close());

const findings = async (): Promise<Finding[]> => [...(await runReport(world.sql, op)).findings];

/** Damages, expects the finding, repairs, and expects silence. */
async function damaged(damage: string, expected: Partial<Finding>, repair: string): Promise<Finding[]> {
  await world.damage(damage);
  const found = await findings();
  await world.damage(repair);
  expect(found).toContainEqual(expect.objectContaining(expected));
  expect(await findings()).toEqual([]);
  return found;
}

// contract 22.2, contract 22.7
test('healthy to begin with', async () => {
  expect(await findings()).toEqual([]);
});

describe('balances', () => {
  // contract 22.8, contract 22.12
  test('account_balance, cash_statement: a wallet that the journal does not make', async () => {
    const found = await damaged(
      `update wallets set available = available - 5000 where operator_id = '${op}' and external_user_id = 'ana'`,
      { check: 'cash_statement', severity: 'critical', subjectType: 'record', subjectId: op },
      `update wallets set available = available + 5000 where operator_id = '${op}' and external_user_id = 'ana'`,
    );
    expect(found).toContainEqual(expect.objectContaining({ check: 'account_balance', subjectId: 'wallet:ana' }));
  });

  // contract 22.8
  test('account_balance: a balance of the house that the journal does not make', async () => {
    await damaged(
      `update operator_ledgers set stakes = stakes - 100 where operator_id = '${op}'`,
      { check: 'account_balance', severity: 'critical', subjectType: 'record', subjectId: 'stakes' },
      `update operator_ledgers set stakes = stakes + 100 where operator_id = '${op}'`,
    );
  });

  // contract 22.15
  test('feed_gap: a counter that ran ahead', async () => {
    await damaged(
      `update operator_ledgers set sequence = sequence + 3 where operator_id = '${op}'`,
      { check: 'feed_gap', severity: 'critical' },
      `update operator_ledgers set sequence = sequence - 3 where operator_id = '${op}'`,
    );
  });

  // contract 22.9
  test('an order that still holds money says something else than the journal', async () => {
    await damaged(
      `update orders set status = 'cancelled' where order_id = '${intent.orderId}'`,
      { check: 'order_terms', severity: 'critical', subjectType: 'record', subjectId: intent.orderId },
      `update orders set status = 'reserve_pending' where order_id = '${intent.orderId}'`,
    );
  });
});

describe('orders', () => {
  // contract 22.9
  test('order_money: a trade amount that its fills do not make', async () => {
    await damaged(
      `update orders set trade_minor = trade_minor - 1 where order_id = '${bought.orderId}'`,
      { check: 'order_money', severity: 'critical', subjectType: 'record', subjectId: bought.orderId },
      `update orders set trade_minor = trade_minor + 1 where order_id = '${bought.orderId}'`,
    );
  });

  // contract 22.9
  test('order_money: a fee and a trade amount that the price does not give', async () => {
    await damaged(
      `update orders set trade_minor = trade_minor - 1, platform_fee_minor = platform_fee_minor + 1 where order_id = '${bought.orderId}'`,
      { check: 'order_money', severity: 'critical', subjectId: bought.orderId },
      `update orders set trade_minor = trade_minor + 1, platform_fee_minor = platform_fee_minor - 1 where order_id = '${bought.orderId}'`,
    );
  });

  // contract 22.9
  test('order_fills: a fill that is not what the order says', async () => {
    await damaged(
      `update orders set filled_quantity = filled_quantity + 1 where order_id = '${bought.orderId}'`,
      { check: 'order_fills', severity: 'critical', subjectId: bought.orderId },
      `update orders set filled_quantity = filled_quantity - 1 where order_id = '${bought.orderId}'`,
    );
  });

  // contract 22.13
  test.each([
    ['20 minutes', 'warning'],
    ['25 hours', 'critical'],
  ] as const)('order_unresolved: unknown for %s is %s', async (age, severity) => {
    await damaged(
      `update orders set status = 'submitted', transmission_state = 'unknown', transmitted_at = now() - interval '${age}' where order_id = '${intent.orderId}'`,
      { check: 'order_unresolved', severity, subjectType: 'record', subjectId: intent.orderId },
      `update orders set status = 'reserve_pending', transmission_state = 'not_transmitted', transmitted_at = null where order_id = '${intent.orderId}'`,
    );
  });
});

describe('positions and settlements', () => {
  const position = () => `operator_id = '${op}' and external_user_id = 'ana'`;

  // contract 22.10
  test('position_quantity: contracts that no fill brought', async () => {
    await damaged(
      `update positions set quantity = quantity + 1000000 where ${position()}`,
      { check: 'position_quantity', severity: 'critical', subjectType: 'record' },
      `update positions set quantity = quantity - 1000000 where ${position()}`,
    );
  });

  // contract 22.10
  test('position_cost: a cost that was not paid', async () => {
    await damaged(
      `update positions set cost_basis_minor = cost_basis_minor + 1 where ${position()}`,
      { check: 'position_cost', severity: 'critical', subjectType: 'record' },
      `update positions set cost_basis_minor = cost_basis_minor - 1 where ${position()}`,
    );
  });

  // contract 22.11
  test('settlement_amount: paid at a result that the contract was not given', async () => {
    const decided = (resolution: string) =>
      `update contract_resolutions set resolution = '${resolution}' where contract_id = (select contract_id from journal where kind = 'position_settled' limit 1)`;
    await damaged(
      decided('YES'),
      { check: 'settlement_amount', severity: 'critical', subjectType: 'record', subjectId: settlementId },
      decided('NO'),
    );
  });
});

describe('the feed, the venue and the webhooks', () => {
  // contract 22.14
  test('venue_evidence: reported with its severity, without naming a venue', async () => {
    const found = await damaged(
      `insert into venue_evidence (operator_id, order_id, kind, severity, raw) values ('${op}', '${bought.orderId}', 'foreign_fill', 'warning', '{"venue":"paper"}')`,
      { check: 'venue_evidence', severity: 'warning', subjectType: 'record', subjectId: bought.orderId },
      'delete from venue_evidence',
    );
    expect(JSON.stringify(found)).not.toContain('paper');
    expect(found.every((finding) => finding.severity !== 'critical')).toBe(true);
  });

  // contract 22.15
  test('webhook_stuck: an event that was not queued for an hour', async () => {
    const older = (by: string) =>
      `update journal set recorded_at = recorded_at ${by} where operator_id = '${op}' and kind = 'order_executed'`;
    await world.damage(
      `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, secret_sealed, registered_at, updated_at)
         values ('${op}', 'whe_new', 7, 'https://example.com', 'example.com', '{order.filled}', 'x', now(), now());
       insert into webhook_subscriptions (operator_id, endpoint_id, type, from_at) values ('${op}', 'whe_new', 'order.filled', now())`,
    );
    await damaged(
      older("- interval '2 hours'"),
      { check: 'webhook_stuck', severity: 'warning', subjectType: 'record', subjectId: expect.stringMatching(/^evn_/) },
      older("+ interval '2 hours'"),
    );
    await world.damage(
      `delete from webhook_subscriptions where operator_id = '${op}'; delete from webhook_endpoints where operator_id = '${op}'`,
    );
  });

  // contract 22.15
  test('webhook_stuck: deliveries that an endpoint has not acknowledged for an hour, one finding for the endpoint', async () => {
    const found = await damaged(
      `insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence, recorded_at, type, created_at)
       select '${op}', 'dlv_' || n, 'whe_slow', 'evn_' || n, n, now() - interval '2 hours', 'order.filled', now() - interval '2 hours' from generate_series(1, 3) n`,
      { check: 'webhook_stuck', severity: 'warning', subjectType: 'record', subjectId: 'whe_slow' },
      `delete from webhook_deliveries where endpoint_id = 'whe_slow'`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.detail).toContain('3 deliveries');
  });
});

describe('the log', () => {
  test('a counter ahead of its items ends the sealing of that operator with an error, and of no other', async () => {
    const other = await world.createOperator({ slug: 'sealed-too' });
    await world.sql`select ensure_customer(${other.operatorId}, 'ana')`;
    const signer = loadLogSigner(world.context.environment, world.context.secrets);
    const ahead = (by: number) =>
      world.damage(`update operator_ledgers set sequence = sequence + ${by} where operator_id = '${op}'`);
    await ahead(1);
    await expect(sealFeeds(world.sql, signer)).rejects.toThrow(/has no item \d+, although/);
    await ahead(-1);
    const [head] =
      await world.sql`select size::int as size from feed_log_heads where operator_id = ${other.operatorId}`;
    expect(head?.['size']).toBeGreaterThan(0);
  });

  test('log_behind: items of more than an hour ago that no checkpoint covers', async () => {
    await world.buy(await world.openMarket('behind'), 'dan');
    expect(await findings()).toEqual([]);
    const age = (by: string) =>
      world.damage(
        ['journal', 'operator_ledgers']
          .map((table) => `update ${table} set recorded_at = recorded_at ${by} where operator_id = '${op}'`)
          .join('; '),
      );
    await age("- interval '2 hours'");
    const found = await findings();
    await age("+ interval '2 hours'");
    expect(found).toContainEqual(expect.objectContaining({ check: 'log_behind', severity: 'warning' }));
  });
});
