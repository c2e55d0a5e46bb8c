/** Each check of the report, proven: data is damaged behind the back of the service, and the report names it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealLedger } from '../../src/ledger/seal.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { runReport } from '../../src/reconciliation/report/run-report.ts';
import type { Finding } from '../../src/wire/reconciliation/report.ts';
import { type OrderAnswer, startWorld, type World } from './world.ts';

let world: World;
let op = '';
let bought: OrderAnswer;
let intent: OrderAnswer;
let settlementId = '';
let positionId = '';
let entryId = '';

beforeAll(async () => {
  world = await startWorld();
  op = world.operatorId;
  const market = await world.market('sound');
  const settled = await world.market('settled');
  bought = await world.buy(market, 'ana', 'YES', 10);
  await world.sell(market, 'ana', 5);
  await world.buy(settled, 'ben', 'NO', 20);
  await world.buy(settled, 'ben', 'YES', 20);
  intent = await world.buy(market, 'cem', 'YES', 50, { executionIntent: 'record_intent' });
  await world.resolve(settled, 'NO');
  await sealLedger(world.service.sql);
  const [row] = await world.service.sql`
    select (select settlement_id from settlements where outcome = 'won') as settlement,
      (select position_id from settlements where outcome = 'won') as position,
      (select entry_id from ledger_entries where movement_type = 'ORDER_FILL' order by position limit 1) as entry`;
  settlementId = row?.['settlement'];
  positionId = row?.['position'];
  entryId = row?.['entry'];
});
afterAll(() => world.close());

const findings = async (): Promise<Finding[]> => [...(await runReport(world.service.sql, op)).findings];

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

describe('the ledger', () => {
  // contract 22.8
  test('trial_balance: an entry that does not balance, and one that only another one hides', async () => {
    const one = `update ledger_entries set amounts[1] = amounts[1] + 7 where operator_id = '${op}' and entry_id = '${entryId}'`;
    const found = await damaged(
      one,
      { check: 'trial_balance', severity: 'critical', subjectType: 'record', subjectId: entryId },
      one.replace('+ 7', '- 7'),
    );
    expect(found.find((finding) => finding.check === 'trial_balance')?.detail).toContain('0.07');
    const other = `update ledger_entries set amounts[1] = amounts[1] - 7 where operator_id = '${op}' and position =
      (select max(position) from ledger_entries where operator_id = '${op}' and movement_type = 'ORDER_FILL')`;
    const hidden = await damaged(
      `${one}; ${other}`,
      { check: 'trial_balance', severity: 'critical', subjectId: entryId },
      `${one.replace('+ 7', '- 7')}; ${other.replace('- 7', '+ 7')}`,
    );
    expect(hidden.filter((finding) => finding.check === 'trial_balance')).toHaveLength(2);
  });

  // contract 22.3, contract 22.8
  test('trial_balance: a trial balance that is off shows in the figures', async () => {
    await world.damage(
      `update ledger_entries set amounts[1] = amounts[1] + 7 where operator_id = '${op}' and entry_id = '${entryId}'`,
    );
    const report = await runReport(world.service.sql, op);
    await world.damage(
      `update ledger_entries set amounts[1] = amounts[1] - 7 where operator_id = '${op}' and entry_id = '${entryId}'`,
    );
    expect(report).toMatchObject({ ok: false, trialBalance: { balanced: false, difference: '0.07' } });
  });

  test('trial_balance: an entry without lines', async () => {
    await damaged(
      `create table kept as select * from ledger_entries where entry_id = '${entryId}';
       update ledger_entries set account_ids = '{}', amounts = '{}', balances_after = '{}' where entry_id = '${entryId}'`,
      {
        check: 'trial_balance',
        severity: 'critical',
        subjectId: entryId,
        detail: expect.stringContaining('has no lines'),
      },
      `delete from ledger_entries where entry_id = '${entryId}'; insert into ledger_entries select * from kept; drop table kept`,
    );
  });

  test('feed_gap: an entry that is gone', async () => {
    await damaged(
      `create table kept as select * from ledger_entries where entry_id = '${entryId}'; delete from ledger_entries where entry_id = '${entryId}'`,
      { check: 'feed_gap', severity: 'critical', detail: expect.stringMatching(/^Items (\d+) to \1 are missing\.$/) },
      'insert into ledger_entries select * from kept; drop table kept',
    );
  });

  // contract 22.8
  test('account_balance: a balance that its lines do not make', async () => {
    await damaged(
      `update account_balances set balance = balance - 100 where operator_id = '${op}' and account_id = 'stakes'`,
      { check: 'account_balance', severity: 'critical', subjectType: 'record', subjectId: 'stakes' },
      `update account_balances set balance = balance + 100 where operator_id = '${op}' and account_id = 'stakes'`,
    );
    await damaged(
      `insert into account_balances values ('${op}', 'wallet:nobody', -5)`,
      { check: 'account_balance', severity: 'critical', subjectId: 'wallet:nobody' },
      `delete from account_balances where account_id = 'wallet:nobody'`,
    );
  });

  test('entry_seal: a changed memo, and entries that were not sealed', async () => {
    await damaged(
      `update ledger_entries set memo = 'something else' where entry_id = '${entryId}'`,
      { check: 'entry_seal', severity: 'critical', subjectType: 'record', subjectId: entryId },
      `update ledger_entries set memo = 'Contracts bought' where entry_id = '${entryId}'`,
    );
    await damaged(
      `create table kept as select * from ledger_seals; delete from ledger_seals;
       update ledger_entries set recorded_at = recorded_at - interval '2 hours'`,
      { check: 'entry_seal', severity: 'warning' },
      `update ledger_entries set recorded_at = recorded_at + interval '2 hours'; insert into ledger_seals select * from kept; drop table kept`,
    );
  });
});

describe('money that the facts do not explain', () => {
  const smuggle = `
    insert into ledger_entries (operator_id, position, entry_id, movement_type, memo, reference_type, reference_id, recorded_at,
      account_ids, amounts, balances_after)
    values ('OP', 1000000, 'ent_smuggled', 'ORDER_FILL', 'Contracts bought', 'order', 'ord_x', now(),
      '{wallet:ana,fees:platform}', '{-5000,5000}', '{0,0}');
    update account_balances set balance = balance - 5000 where operator_id = 'OP' and account_id = 'wallet:ana';
    update account_balances set balance = balance + 5000 where operator_id = 'OP' and account_id = 'fees:platform'`;
  const remove = `
    delete from ledger_entries where entry_id = 'ent_smuggled';
    update account_balances set balance = balance + 5000 where operator_id = 'OP' and account_id = 'wallet:ana';
    update account_balances set balance = balance - 5000 where operator_id = 'OP' and account_id = 'fees:platform'`;
  const filled = (statement: string) => statement.replaceAll("'OP'", `'${op}'`);

  // contract 22.9, contract 22.12
  test('cash_statement, wallet_balance, order_money: a balanced entry that no order explains', async () => {
    const found = await damaged(
      filled(smuggle),
      { check: 'cash_statement', severity: 'critical', subjectType: 'record', subjectId: op },
      filled(remove),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ check: 'wallet_balance', severity: 'critical', subjectType: 'user', subjectId: 'ana' }),
    );
    expect(found).toContainEqual(expect.objectContaining({ check: 'order_money', subjectId: 'fees:platform' }));
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'feed_gap',
        detail: expect.stringMatching(/^Items \d+ to 999999 are missing\.$/),
      }),
    );
    expect(found.some((finding) => finding.check === 'trial_balance')).toBe(false);
  });

  // contract 22.12
  test('collateral_statement: collateral that no deposit brought', async () => {
    await damaged(
      `insert into ledger_entries (operator_id, position, entry_id, movement_type, memo, reference_type, reference_id, recorded_at,
         account_ids, amounts, balances_after)
       values ('${op}', 1000000, 'ent_unagreed', 'CORRECTION', 'x', 'entry', 'x', now(), '{collateral:available,result}', '{-700,700}', '{-700,0}')`,
      { check: 'collateral_statement', severity: 'critical', subjectId: op },
      "delete from ledger_entries where entry_id = 'ent_unagreed'",
    );
  });

  // contract 22.9
  test('orphan_hold: a hold whose order is gone', async () => {
    await damaged(
      `update orders set status = 'cancelled' where order_id = '${intent.orderId}'`,
      { check: 'orphan_hold', severity: 'critical', subjectType: 'user', subjectId: 'cem' },
      `update orders set status = 'reserve_pending' where order_id = '${intent.orderId}'`,
    );
  });
});

describe('orders', () => {
  // contract 22.9
  test('order_money: an identity of its own does not hold', async () => {
    await damaged(
      `alter table orders drop constraint orders_debit; update orders set trade_minor = trade_minor - 1 where order_id = '${bought.orderId}'`,
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
  test('position_cost: a cost that was not paid, and stakes that do not match', async () => {
    const found = await damaged(
      `update positions set cost_basis_minor = cost_basis_minor + 1 where ${position()}`,
      { check: 'position_cost', severity: 'critical', subjectType: 'record' },
      `update positions set cost_basis_minor = cost_basis_minor - 1 where ${position()}`,
    );
    expect(found.filter((finding) => finding.check === 'position_cost').map((finding) => finding.subjectId)).toContain(
      'stakes',
    );
  });

  // contract 22.11
  test('settlement_once: settled without a settlement, or with one that the feed does not know', async () => {
    await damaged(
      `create table kept as select * from settlements where settlement_id = '${settlementId}'; delete from settlements where settlement_id = '${settlementId}'`,
      { check: 'settlement_once', severity: 'critical', subjectType: 'record', subjectId: positionId },
      'insert into settlements select * from kept; drop table kept',
    );
    await damaged(
      `alter table settlements drop constraint settlements_once;
       insert into settlements select operator_id, settlement_id || 'b', position_id, feed_position + 100000, external_user_id, contract_id, side, resolution, yes_worth_micros,
         outcome, quantity, cost_basis_minor, entry_fees_minor, settlement_credit_minor, void_credit_minor, realised_pnl_minor,
         lifetime_realised_pnl_minor, simulated, settled_at from settlements where settlement_id = '${settlementId}'`,
      { check: 'settlement_once', severity: 'critical', subjectId: positionId },
      `delete from settlements where settlement_id = '${settlementId}b'`,
    );
  });

  // contract 22.11
  test('settlement_amount: a credit that the resolution does not give', async () => {
    await damaged(
      `update settlements set settlement_credit_minor = settlement_credit_minor + 1, realised_pnl_minor = realised_pnl_minor + 1 where settlement_id = '${settlementId}'`,
      { check: 'settlement_amount', severity: 'critical', subjectType: 'record', subjectId: settlementId },
      `update settlements set settlement_credit_minor = settlement_credit_minor - 1, realised_pnl_minor = realised_pnl_minor - 1 where settlement_id = '${settlementId}'`,
    );
    await damaged(
      `update settlements set resolution = 'YES' where settlement_id = '${settlementId}'`,
      { check: 'settlement_amount', severity: 'critical', subjectId: settlementId },
      `update settlements set resolution = 'NO' where settlement_id = '${settlementId}'`,
    );
  });
});

describe('the feed, the venue and the webhooks', () => {
  // contract 22.15
  test('feed_gap: an item that is missing, and a counter that ran ahead', async () => {
    await damaged(
      `create table kept as select * from feed_item_rows where operator_id = '${op}' and position = 2; delete from feed_item_rows where operator_id = '${op}' and position = 2`,
      { check: 'feed_gap', severity: 'critical', subjectId: '2', detail: 'Items 2 to 3 are missing.' },
      'insert into feed_item_rows select * from kept; drop table kept',
    );
    await damaged(
      `create table kept as select * from feed_item_rows where operator_id = '${op}' and position = 2;
       update feed_item_rows set following = regexp_replace(following, E'\nf\t[^\n]*', E'\n-') where operator_id = '${op}' and position = 2`,
      { check: 'feed_gap', severity: 'critical', subjectId: '3', detail: 'Items 3 to 3 are missing.' },
      'update feed_item_rows item set following = kept.following from kept where item.operator_id = kept.operator_id and item.position = kept.position; drop table kept',
    );
    await damaged(
      `update operator_counters set feed_position = feed_position + 3 where operator_id = '${op}'`,
      { check: 'feed_gap', severity: 'critical' },
      `update operator_counters set feed_position = feed_position - 3 where operator_id = '${op}'`,
    );
  });

  // contract 22.14
  test('venue_agreement: an exit that the venue tells otherwise', async () => {
    const set = (value: string) =>
      `update feed_item_rows set following = replace(following, '"venueAgrees":${value === 'false' ? 'null' : 'false'}', '"venueAgrees":${value}')
       where operator_id = '${op}' and strpos(following, E'\nx') > 0`;
    await world.damage(set('false'));
    const report = await runReport(world.service.sql, op);
    await world.damage(set('null'));
    expect(report).toMatchObject({ ok: false, venueAgreement: { exits: 1, agrees: 0, disagrees: 1, unknown: 0 } });
    expect(report.findings).toContainEqual(expect.objectContaining({ check: 'venue_agreement', severity: 'critical' }));
  });

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
      `insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence, type, created_at)
       select '${op}', 'dlv_' || n, 'whe_slow', 'evn_' || n, n, 'order.filled', now() - interval '2 hours' from generate_series(1, 3) n`,
      { check: 'webhook_stuck', severity: 'warning', subjectType: 'record', subjectId: 'whe_slow' },
      `delete from webhook_deliveries where endpoint_id = 'whe_slow'`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.detail).toContain('3 deliveries');
  });
});

describe('the log', () => {
  test('a counter ahead of its items ends the sealing of that operator with an error, and of no other', async () => {
    const other = await world.service.createOperator({ slug: 'sealed-too' });
    await world.service.sql`select ensure_customer(${other.operatorId}, 'ana')`;
    const signer = loadLogSigner(world.service.context.environment, world.service.context.secrets);
    const ahead = (by: number) =>
      world.damage(`update operator_ledgers set sequence = sequence + ${by} where operator_id = '${op}'`);
    await ahead(1);
    await expect(sealFeeds(world.service.sql, signer)).rejects.toThrow(/has no item \d+, although/);
    await ahead(-1);
    const [head] = await world.service
      .sql`select size::int as size from feed_log_heads where operator_id = ${other.operatorId}`;
    expect(head?.['size']).toBeGreaterThan(0);
  });

  test('log_behind: items of more than an hour ago that no checkpoint covers', async () => {
    await world.buy(await world.market('behind'), 'dan');
    expect(await findings()).toEqual([]);
    const age = (by: string) =>
      Promise.all(
        [
          'journal set recorded_at = recorded_at',
          'feed_item_rows set occurred_at = occurred_at',
          'ledger_entries set recorded_at = recorded_at',
        ].map((change) => world.damage(`update ${change} ${by} where operator_id = '${op}'`)),
      );
    await age("- interval '2 hours'");
    const found = await findings();
    await age("+ interval '2 hours'");
    expect(found).toContainEqual(expect.objectContaining({ check: 'log_behind', severity: 'warning' }));
  });
});
