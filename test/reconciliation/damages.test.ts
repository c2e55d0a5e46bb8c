/**
 * Damage that a role of the service could do, and damage that only the owner of the tables could do: the report names each, if it
 * reads everything and if it rests on a checkpoint from before the damaged facts. Each damage is done in a transaction that the report reads in and that is rolled back, so none of them has to be repaired.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { moveCollateral } from '../../src/ledger/move-collateral.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { runReport, runReportSince } from '../../src/reconciliation/report/run-report.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { Finding } from '../../src/wire/reconciliation/report.ts';
import { type Live, startLive, type Tenant } from '../support/live.ts';
import { seedMarket } from '../support/market.ts';
import { until } from '../support/until.ts';
import { restReports } from '../support/verified-books.ts';

let live: Live;
let sandbox: Tenant;
let trading: Tenant;
let service: Sql;
let owner: Sql;
/** Ids by name, put into the statements in place of `:name`. */
const known: Record<string, string> = {};

beforeAll(async () => {
  live = await startLive();
  service = connect(live.service.database.url, { max: 1, applicationName: 'damage' });
  owner = connect(live.service.database.ownerUrl, { max: 1, applicationName: 'damage' });
  sandbox = await live.tenant({ mode: 'sandbox' });
  trading = await live.tenant();
  known['op'] = sandbox.operator.operatorId;
  known['live'] = trading.operator.operatorId;
  const { sql, context } = live.service;
  const operatorIds = [sandbox.operator.operatorId, trading.operator.operatorId];
  await restReports(sql, loadLogSigner(context.environment, context.secrets), operatorIds);
  await tradeInSandbox();
  await tradeLive();
});
afterAll(async () => {
  await service.end();
  await owner.end();
  await live.close();
});

async function tradeInSandbox(): Promise<void> {
  const settled = await seedMarket(live.service.sql, 'damage-settled');
  await live.service.context.board.refresh();
  known['bought'] = (await sandbox.place('ana')).body.orderId;
  known['sold'] = (await sandbox.place('ana', {}, { action: 'sell', contracts: 5, stake: undefined })).body.orderId;
  await sandbox.place('ben', {}, { marketId: settled.contractId });
  await sandbox.place('ben', {}, { marketId: settled.contractId, side: 'NO' });
  const intent = { executionIntent: 'record_intent' };
  known['cancelled'] = (await sandbox.place('cem', intent)).body.orderId;
  await sandbox.cancel(known['cancelled'] ?? '');
  known['intent'] = (await sandbox.place('cem', intent)).body.orderId;
  await live.service.sql`select * from decide_market(${settled.contractId}, 'resolve', 'YES', null)`;
  await settleMarket(live.service.sql, settled.contractId);
  const [row] = await live.service.sql<Record<string, string>[]>`
    select (select settlement_id from settlements where outcome = 'won') as settlement, (select position_id from settlements where outcome = 'won') as settled_position,
      (select position_id from positions where operator_id = ${sandbox.operator.operatorId} and status = 'open') as position,
      (select entry_id from ledger_entries where operator_id = ${sandbox.operator.operatorId} and movement_type = 'ORDER_FILL' order by position limit 1) as entry`;
  const { settledPosition = '', ...others } = row ?? {};
  Object.assign(known, others, {
    settled_position: settledPosition,
    settled_contract: settled.contractId,
    contract: live.market.contractId,
  });
}

async function tradeLive(): Promise<void> {
  await moveCollateral(live.service.sql, trading.operator.operatorId, 'deposit', 50_000n);
  const done = (orderId: string) =>
    until(
      () => trading.read(orderId),
      (one) => one.transmissionState === 'resolved',
    );
  live.venue.script = (order) => live.venue.fillWhole(order, 100);
  known['live_buy'] = (await trading.place('dan', { reserveReference: 'r-1' })).body.orderId;
  await done(known['live_buy'] ?? '');
  known['live_sell'] = (
    await trading.place('dan', { reserveReference: 'r-2' }, { action: 'sell', contracts: 5, stake: undefined })
  ).body.orderId;
  await done(known['live_sell'] ?? '');
  const [row] = await live.service.sql<{ positionId: string }[]>`
    select position_id from positions where operator_id = ${trading.operator.operatorId}`;
  known['live_position'] = row?.positionId ?? '';
}

const filled = (text: string): string =>
  text.replace(/:([a-z_]+)\b(?!:)/g, (whole, name: string) => (known[name] === undefined ? whole : known[name]));

/** What the report finds of either tenant after the damage, which is undone. */
async function findingsAfter(
  role: 'service' | 'owner',
  damage: string,
  report: typeof runReport = runReport,
): Promise<Finding[]> {
  const sql = role === 'service' ? service : owner;
  await sql.unsafe('begin');
  try {
    if (role === 'owner') {
      await sql.unsafe('set local session_replication_role = replica');
    }
    for (const statement of filled(damage).split(';\n')) {
      await sql.unsafe(statement);
    }
    const reports = [await report(sql, sandbox.operator.operatorId), await report(sql, trading.operator.operatorId)];
    return reports.flatMap((report) => report.findings);
  } finally {
    await sql.unsafe('rollback');
  }
}

test('healthy to begin with', async () => {
  expect(await findingsAfter('service', 'select 1')).toEqual([]);
  expect(await findingsAfter('service', 'select 1', runReportSince)).toEqual([]);
  expect(await sandbox.audit()).toEqual([]);
  expect(await trading.audit()).toEqual([]);
});

type Damage = readonly [
  title: string,
  role: 'service' | 'owner',
  damage: string,
  check: Finding['check'],
  subject: string,
  also?: Partial<Pick<Finding, 'severity' | 'detail'>>,
];

const post = (lines: string, movement: string, reference: string) => `
  select record_facts(array[row(1, ':op', 'ledger.posted', 'ent_forged', null, null, null,
    '{"currency":"USD","amount":"7.00","lines":[]}', '{"movementType":"${movement}","memo":"x","referenceType":"order","referenceId":"${reference}","correctsEntryId":null}',
    '${lines}', null)::fact])`;
const correct = (lines: string) =>
  `select * from correct_entry(':op', ':entry', 'ent_correction', 'CORRECTION', '${lines}'::json)`;
const money = (type: string, from: string, to: string, operator = ':op') =>
  `update feed_items set money = regexp_replace(money::text, '${from}', '${to}')::json where operator_id = '${operator}' and position =
    (select max(position) from feed_items where operator_id = '${operator}' and type = '${type}' and money::text ~ '${from}')`;
const changedItem = (type: string, operator: string) =>
  `select item_id from feed_items where operator_id = '${operator}' and type = '${type}'`;

const UNAGREED_DEPOSIT = `select record_facts(array[row(1, ':live', 'ledger.posted', 'ent_forged', null, null, null,
    '{"currency":"USD","amount":"5000.00","lines":[{"accountId":"deposits","debit":"5000.00","credit":"0.00"},{"accountId":"collateral:available","debit":"0.00","credit":"5000.00"}]}',
    '{"movementType":"COLLATERAL_DEPOSIT","memo":"x","referenceType":"operator","referenceId":":live","correctsEntryId":null}',
    '[["deposits",500000],["collateral:available",-500000]]', null)::fact,
    row(2, ':live', 'collateral.moved', 'mov_forged', null, null, null, '{"currency":"USD","amount":"5000.00"}',
      '{"kind":"deposit","memo":"x","ledgerEntryId":"ent_forged"}', null, null)::fact])`;

const DAMAGES: readonly Damage[] = [
  [
    'money 9: a second opening credit',
    'service',
    "select record_facts(array[credit_wallet_fact(1, ':op', 'ana', 500000, 'Opening test funds', 'customer', 'ana')])",
    'wallet_balance',
    'ana',
  ],
  [
    'money 9: a second opening credit shows in the statement',
    'service',
    "select record_facts(array[credit_wallet_fact(1, ':op', 'ana', 500000, 'Opening test funds', 'customer', 'ana')])",
    'cash_statement',
    ':op',
  ],
  [
    'money 9: test money that nobody was given',
    'service',
    "select record_facts(array[credit_wallet_fact(1, ':op', 'ana', 500000, 'Opening test funds', 'customer', 'ana')])",
    'cash_statement',
    'sandbox:float',
  ],
  [
    'money 9: a correction is no reason for a wallet',
    'service',
    correct('[["wallet:ana",-77700],["result",77700]]'),
    'wallet_balance',
    'ana',
  ],
  [
    'money 9: a correction is no reason for a statement',
    'service',
    correct('[["wallet:ana",-77700],["result",77700]]'),
    'cash_statement',
    ':op',
  ],
  [
    'money 9: each correction is a finding',
    'service',
    correct('[["wallet:ana",-77700],["result",77700]]'),
    'account_balance',
    'ent_correction',
    { severity: 'info' },
  ],
  [
    'money 9: a wallet that pays another',
    'service',
    post('[["wallet:ben",700],["wallet:ana",-700]]', 'ORDER_RELEASE', 'x'),
    'wallet_balance',
    'ben',
  ],
  [
    'money 9: an account that nothing books on',
    'service',
    post('[["result",700],["elsewhere",-700]]', 'POSITION_EXIT', 'x'),
    'account_balance',
    'elsewhere',
  ],
  [
    'money 9: a result that no fact leaves',
    'service',
    post('[["result",700],["elsewhere",-700]]', 'POSITION_EXIT', 'x'),
    'account_balance',
    'result',
  ],
  [
    'money 9: fees that no order paid',
    'service',
    post('[["result",700],["fees:platform",-700]]', 'ORDER_FILL', 'x'),
    'order_money',
    'fees:platform',
  ],
  [
    'money 9: an overrun that no fill cost',
    'service',
    post('[["overrun",700],["fees:venue",-700]]', 'VENUE_OVERRUN', 'x'),
    'order_money',
    'overrun',
  ],

  [
    'money 9: a deposit of collateral that was not agreed outside',
    'service',
    UNAGREED_DEPOSIT,
    'collateral_statement',
    ':live',
  ],
  ['money 9: the item of such a deposit', 'service', UNAGREED_DEPOSIT, 'collateral_statement', 'mov_forged'],
  [
    'money 9: a deposit whose record is gone',
    'owner',
    "delete from collateral_movements where operator_id = ':live'",
    'collateral_statement',
    'deposits',
  ],
  [
    'money 10: settled as what the contract never was',
    'owner',
    "delete from contract_resolutions where contract_id = ':settled_contract'",
    'settlement_amount',
    ':settlement',
  ],
  [
    'money 10: settled NO, with the money of NO, where the contract is YES',
    'owner',
    `update settlements set resolution = 'NO', outcome = 'lost', settlement_credit_minor = 0, realised_pnl_minor = -cost_basis_minor,
       lifetime_realised_pnl_minor = -cost_basis_minor where settlement_id = ':settlement';
update positions set realised_pnl_minor = (select lifetime_realised_pnl_minor from settlements where settlement_id = ':settlement') where position_id = ':settled_position'`,
    'settlement_amount',
    ':settlement',
  ],
  [
    'money 10: settled on the side that was not held',
    'owner',
    "update settlements set side = 'NO', resolution = 'NO' where settlement_id = ':settlement'",
    'settlement_amount',
    ':settlement',
  ],

  [
    'money 11: one stray micro-contract held back',
    'service',
    "update positions set held_quantity = 1 where position_id = ':position'",
    'position_quantity',
    ':position',
  ],
  [
    'money 11: an exposure that was invented',
    'service',
    "update exposures set exposure_minor = exposure_minor + 123456 where operator_id = ':live' and external_user_id = 'dan'",
    'position_cost',
    'dan',
  ],
  [
    'money 11: an operator’s exposure that was invented',
    'service',
    "update exposures set exposure_minor = exposure_minor + 123456 where operator_id = ':live' and external_user_id = ''",
    'position_cost',
    ':live',
  ],
  [
    'money 11: the exposure of a customer who holds nothing',
    'service',
    "insert into exposures values (':op', 'nobody', 123456)",
    'position_cost',
    'nobody',
  ],
  [
    'money 11: contracts that are at no venue',
    'service',
    "update position_holdings set quantity = quantity - 1 where operator_id = ':live'",
    'position_quantity',
    ':live_position',
  ],
  [
    'money 11: a position left open after its contract resolved',
    'service',
    openAfterResolution('20 minutes'),
    'settlement_once',
    ':position',
    { severity: 'warning' },
  ],
  [
    'money 11: a position left open for a day',
    'service',
    openAfterResolution('25 hours'),
    'settlement_once',
    ':position',
  ],
  [
    'money 11: the authorization and the release of a cancelled order raised together',
    'service',
    "update orders set authorization_minor = authorization_minor + 100, release_minor = release_minor + 100 where order_id = ':cancelled'",
    'order_money',
    ':cancelled',
    { detail: 'The authorization is 11.00, its quote’s 10.00.' },
  ],
  [
    'money 11: an order with another price than its quote',
    'service',
    "update orders set price_micros = price_micros - 1 where order_id = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'money 11: an order of more contracts than its quote',
    'service',
    "update orders set quoted_quantity = quoted_quantity + 1 where order_id = ':sold'",
    'order_money',
    ':sold',
  ],
  [
    'money 11: a quote that was changed after it was accepted',
    'owner',
    "update quotes set fee_bps = fee_bps + 1 where spent_by = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'money 11: a quote that is gone',
    'owner',
    "delete from quotes where spent_by = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'money 11: a quote that another order spent',
    'service',
    "update quotes set spent_by = 'ord_other' where spent_by = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'money 11: a live buy that was charged a cent more than its fills cost',
    'service',
    "update orders set trade_minor = trade_minor + 1, venue_fee_minor = venue_fee_minor - 1 where order_id = ':live_buy'",
    'order_money',
    ':live_buy',
    { detail: 'The trade amount is not what the contracts cost.' },
  ],
  [
    'money 11: a live buy with another venue fee than its fills',
    'service',
    "update fills set fee_micros = fee_micros - 20000 where order_id = ':live_buy'",
    'order_money',
    ':live_buy',
    { detail: 'The venue fee is not what its fills were charged.' },
  ],
  [
    'money 11: a live sell with another fee',
    'service',
    "update orders set platform_fee_minor = platform_fee_minor + 1, venue_fee_minor = venue_fee_minor - 1 where order_id = ':live_sell'",
    'order_money',
    ':live_sell',
    { detail: 'The venue fee is not what its fills were charged.' },
  ],
  [
    'money 11: a live sell with another notional',
    'service',
    "update orders set trade_minor = trade_minor + 1, proceeds_minor = proceeds_minor + 1 where order_id = ':live_sell'",
    'order_money',
    ':live_sell',
    { detail: 'The notional is not what the contracts brought.' },
  ],
  [
    'money 11: a live order that was never sent',
    'owner',
    "delete from transmissions where order_id = ':live_buy'",
    'order_fills',
    ':live_buy',
  ],
  [
    'money 11: an order that is final and not resolved',
    'service',
    "update orders set transmission_state = 'unknown' where order_id = ':bought'",
    'order_unresolved',
    ':bought',
  ],
  [
    'money 11: an order that was withdrawn although it may be at a venue',
    'owner',
    `alter table orders drop constraint orders_withdrawn_unsent;
     update orders set transmission_state = 'unknown' where order_id = ':cancelled'`,
    'order_unresolved',
    ':cancelled',
  ],
  [
    'contract 12: prices that are not those of the fills are named as prices',
    'service',
    "update orders set price_weight = price_weight + 1 where order_id = ':bought'",
    'order_fills',
    ':bought',
    { detail: 'The prices of the order are not those of its fills.' },
  ],
  [
    'contract 12: a quantity that is not that of the fills is named with both',
    'service',
    "update orders set filled_quantity = filled_quantity + 1000000 where order_id = ':bought'",
    'order_fills',
    ':bought',
    { detail: 'The order has 18.192982 contracts, its fills 17.192982.' },
  ],
  [
    'money 11: a fill that was taken out',
    'owner',
    "delete from fills where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],
  [
    'money 11: fills that are numbered with a gap',
    'owner',
    "update fills set fill_no = 2 where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],

  [
    'money 17: a settlement moved forty days back',
    'owner',
    "update settlements set settled_at = settled_at - interval '40 days' where settlement_id = ':settlement'",
    'settlement_once',
    ':settlement',
  ],

  [
    'contract missing: money of a settlement’s item rewritten',
    'owner',
    money('position.settled', '"settlementCredit" : "[1-9][0-9.]+"', '"settlementCredit" : "0.00"'),
    'settlement_amount',
    ':settlement',
  ],
  [
    'contract missing: money of an order’s item rewritten',
    'owner',
    money(
      'order.state_changed',
      '"actualDebit":"10.00","releaseAmount":"0.00"',
      '"actualDebit":"9.00","releaseAmount":"1.00"',
    ),
    'order_money',
    changedItem('order.state_changed', ':op'),
  ],
  [
    'contract missing: authorization of an order’s first item rewritten',
    'owner',
    money(
      'order.state_changed',
      '"authorizationAmount":"10.00","actualDebit":"0.00","releaseAmount":"10.00"',
      '"authorizationAmount":"9.00","actualDebit":"0.00","releaseAmount":"9.00"',
    ),
    'order_money',
    changedItem('order.state_changed', ':op'),
  ],
  [
    'contract missing: money of a fee’s item rewritten',
    'owner',
    money('fee.assessed', '"amount":"[0-9.]+"', '"amount":"9.00"'),
    'order_money',
    `select order_id as item_id from feed_items where operator_id = ':op' and type = 'fee.assessed' order by position desc limit 1`,
  ],
  [
    'contract missing: money of an exit’s item rewritten',
    'owner',
    money('position.exited', '"sellProceeds":"[0-9.]+"', '"sellProceeds":"9.00"'),
    'order_money',
    ':sold',
  ],
  [
    'contract missing: money of an entry’s item rewritten',
    'owner',
    money('ledger.posted', '"debit":"10.00"', '"debit":"9.00"'),
    'feed_gap',
    changedItem('ledger.posted', ':op'),
  ],
  [
    'contract missing: an account of an entry’s item rewritten',
    'owner',
    money('ledger.posted', 'wallet:ana', 'wallet:bob'),
    'feed_gap',
    changedItem('ledger.posted', ':op'),
  ],
  [
    'contract missing: money of a collateral item rewritten',
    'owner',
    money('collateral.moved', '"amount" : "[0-9.]+"', '"amount" : "9.00"', ':live'),
    'collateral_statement',
    changedItem('collateral.moved', ':live'),
  ],
  [
    'contract missing: balance of a collateral item rewritten',
    'owner',
    money('collateral.moved', '"balanceAfter" : "[0-9.]+"', '"balanceAfter" : "9.00"', ':live'),
    'collateral_statement',
    changedItem('collateral.moved', ':live'),
  ],
  [
    'contract missing: an item that says another state than the order has',
    'owner',
    `update feed_items set detail = replace(detail::text, '"toState":"filled"', '"toState":"rejected"')::json where order_id = ':bought' and type = 'order.state_changed'`,
    'order_money',
    `${changedItem('order.state_changed', ':op')} and order_id = ':bought'`,
  ],
];

function openAfterResolution(age: string): string {
  return `insert into contract_resolutions (contract_id, version, resolution, source, applied, occurred_at, recorded_at)
    values (':contract', 999, 'YES', 'operator', true, now(), now() - interval '${age}');
update contracts set status = 'resolved', resolution = 'YES', resolved_at = now(), resolved_by = 'operator' where contract_id = ':contract';
update positions set opened_at = opened_at - interval '2 days' where position_id = ':position'`;
}

for (const [title, role, damage, check, subject, also = {}] of DAMAGES) {
  test(`${title} (${role})`, async () => {
    const reports = [await findingsAfter(role, damage), await findingsAfter(role, damage, runReportSince)];
    const wanted = filled(subject);
    const subjects = wanted.startsWith('select ')
      ? (await live.service.sql.unsafe<{ itemId: string }[]>(wanted)).map((row) => row.itemId)
      : [wanted];
    for (const found of reports) {
      expect(found).toContainEqual(
        expect.objectContaining({ check, severity: 'critical', subjectId: expect.toBeOneOf(subjects), ...also }),
      );
    }
  });
}

test('contract missing: a finding of venue evidence says what was said, and names no venue and no id of one', async () => {
  const evidence = (kind: string, raw: object) =>
    `insert into venue_evidence (operator_id, order_id, kind, raw) values (':live', ':live_buy', '${kind}', '${JSON.stringify(raw)}')`;
  const found = await findingsAfter(
    'service',
    [
      evidence('fee_changed', {
        fillId: 'f-kalshi-1',
        listingId: 'KXBTC-26NOV',
        feeMicros: '20000',
        priceMicros: '570000',
      }),
      evidence('person', {
        evidence: 'Kalshi support wrote that 5 contracts were filled',
        learned: { rejected: false },
      }),
    ].join(';\n'),
  );
  const details = found.map(({ check, subjectId, detail }) => [check, subjectId, detail]);
  expect(details).toEqual(
    expect.arrayContaining([
      [
        'venue_evidence',
        known['live_buy'],
        'Reported about the order: fee changed: feeMicros 20000, priceMicros 570000',
      ],
      [
        'venue_evidence',
        known['live_buy'],
        'Reported about the order: person: evidence the venue support wrote that 5 contracts were filled, learned rejected false',
      ],
    ]),
  );
  expect(JSON.stringify(found)).not.toMatch(/kalshi|KXBTC/i);
});

test('contract missing: exhausted deliveries are a finding until they are replayed or their endpoint is removed', async () => {
  const endpoint = `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, active, disabled_reason, secret_sealed, registered_at, updated_at)
    values (':op', 'whe_dead', 1, 'https://example.com', 'example.com', '{order.filled}', false, 'gone', 'x', now(), now())`;
  const given = `insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, type, status, finished_at)
    select ':op', 'dlv_' || n, 'whe_dead', 'evn_' || n, 'order.filled', 'exhausted', now() from generate_series(1, 3) n`;
  const found = await findingsAfter('service', `${endpoint};\n${given}`);
  expect(found).toEqual([
    expect.objectContaining({
      check: 'webhook_stuck',
      severity: 'warning',
      subjectId: 'whe_dead',
      detail: expect.stringMatching(/^3 deliveries .* given up/),
    }),
  ]);
  const removed = `update webhook_endpoints set removed_at = now(), disabled_reason = 'removed' where endpoint_id = 'whe_dead'`;
  expect(await findingsAfter('service', `${endpoint};\n${given};\n${removed}`)).toEqual([]);
});

test('money 9: a correction that brings the ledger back to its facts leaves one finding, and the report is ok', async () => {
  const found = await findingsAfter(
    'service',
    `${post('[["wallet:ana",700],["result",-700]]', 'ORDER_FILL', 'x')};
select * from correct_entry(':op', 'ent_forged', 'ent_correction', 'Booked by mistake', null)`,
  );
  // the item that the test forged says nothing of its lines; the correction's own item does
  expect(found.filter((one) => one.subjectId !== 'ent_forged')).toEqual([
    expect.objectContaining({
      check: 'account_balance',
      severity: 'info',
      subjectType: 'record',
      subjectId: 'ent_correction',
    }),
  ]);
});
