/**
 * Healthy books of a sandbox and of a live operator, and damage done to them in a transaction that the report reads in and that
 * is rolled back. A test file that opens them has books of its own.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { countFeed } from '../../src/ledger/log/log-store.ts';
import { loadLogSigner } from '../../src/ledger/log/sign-log.ts';
import { closePeriod } from '../../src/ledger/periods.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { Finding } from '../../src/wire/reconciliation.ts';
import { settlementsIn } from '../support/settlements.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let sandbox: Tenant;
let trading: Tenant;
let service: Sql;
let owner: Sql;
/** Ids by name, put into the statements in place of `:name`. */
export const known: Record<string, string> = {};

/** Opens the books before the first test of a file, and closes them after its last. */
export function openDamagedBooks(): void {
  beforeAll(async () => {
    live = await openLive();
    service = connect(live.database.url, { max: 1, applicationName: 'damage' });
    owner = connect(live.database.ownerUrl, { max: 1, applicationName: 'damage' });
    sandbox = await live.tenant({ mode: 'sandbox' });
    trading = await live.tenant();
    known['op'] = sandbox.operator.operatorId;
    known['live'] = trading.operator.operatorId;
    await tradeInSandbox();
    await tradeLive();
    const { operatorId } = sandbox.operator;
    const signer = loadLogSigner(live.context.environment, live.context.secrets);
    await closePeriod(live.sql, signer, operatorId, new Date(Date.now() - 60_000));
    known['next'] = String((await countFeed(live.sql, operatorId)) + 1);
    for (const { operator } of [sandbox, trading]) {
      await runReport(live.sql, operator.operatorId);
    }
  });
  afterAll(async () => {
    await service.end();
    await owner.end();
    await live.close();
  });
}

async function tradeInSandbox(): Promise<void> {
  const settled = await live.openMarket('damage-settled');
  known['bought'] = (await sandbox.place('ana')).body.orderId;
  known['sold'] = (await sandbox.place('ana', {}, { action: 'sell', contracts: 5, stake: undefined })).body.orderId;
  await sandbox.place('ben', {}, { marketId: settled.contractId });
  await sandbox.place('ben', {}, { marketId: settled.contractId, side: 'NO' });
  const intent = { executionIntent: 'record_intent' };
  known['cancelled'] = (await sandbox.place('cem', intent)).body.orderId;
  await sandbox.cancel(known['cancelled'] ?? '');
  known['intent'] = (await sandbox.place('cem', intent)).body.orderId;
  await live.sql`select * from decide_market(${settled.contractId}, 'resolve', 'YES', null)`;
  await settleMarket(live.sql, settled.contractId);
  const [row] = await live.sql<Record<string, string>[]>`
    select (select settlement_id from ${settlementsIn(live.sql)} where outcome = 'won') as settlement,
      (select position_id from ${settlementsIn(live.sql)} where outcome = 'won') as settled_position,
      (select position_id from positions where operator_id = ${sandbox.operator.operatorId} and status = 'open') as position,
      (select 'ent_' || substr(order_id, 5) from journal where operator_id = ${sandbox.operator.operatorId} and kind = 'order_executed' order by sequence limit 1) as entry`;
  const { settledPosition = '', ...others } = row ?? {};
  Object.assign(known, others, {
    settled_position: settledPosition,
    settled_contract: settled.contractId,
    contract: live.market.contractId,
  });
}

async function tradeLive(): Promise<void> {
  await moveCollateral(live.sql, trading.operator.operatorId, 'deposit', 50_000n);
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
  const [row] = await live.sql<{ positionId: string }[]>`
    select position_id from positions where operator_id = ${trading.operator.operatorId}`;
  known['live_position'] = row?.positionId ?? '';
}

/** What either tenant's own audit of its facts objects to. */
export const auditBoth = async () => [...(await sandbox.audit()), ...(await trading.audit())];

const filled = (text: string): string =>
  text.replace(/:([a-z_]+)\b(?!:)/g, (whole, name: string) => (known[name] === undefined ? whole : known[name]));

/** The world whose books these are. */
export const books = (): Live => live;

/** What the report finds of either tenant after the damage, which is undone, and how many rows its last statement changed. */
export async function damage(
  role: 'service' | 'owner',
  statements: string,
): Promise<{ count: number; found: Finding[] }> {
  const sql = role === 'service' ? service : owner;
  await sql.unsafe('begin');
  try {
    if (role === 'owner') {
      await sql.unsafe('set local session_replication_role = replica');
    }
    let count = 0;
    for (const statement of filled(statements).split(';\n')) {
      ({ count } = await sql.unsafe(statement));
    }
    const reports = [
      await runReport(sql, sandbox.operator.operatorId),
      await runReport(sql, trading.operator.operatorId),
    ];
    return { count, found: reports.flatMap(({ findings }) => findings) };
  } finally {
    await sql.unsafe('rollback');
  }
}

export const findingsAfter = async (role: 'service' | 'owner', statements: string): Promise<Finding[]> =>
  (await damage(role, statements)).found;

export type Damage = readonly [
  what: string,
  role: 'service' | 'owner',
  statements: string,
  check: Finding['check'],
  subject: string,
  also?: Partial<Pick<Finding, 'severity' | 'subjectType' | 'detail'>>,
];

/** The report names the damage: as critical and of a record, where the row of the table does not say otherwise. */
export async function expectFinding([, role, statements, check, subject, also]: Damage): Promise<void> {
  const found = await findingsAfter(role, statements);
  const wanted = filled(subject);
  const subjects = wanted.startsWith('select ')
    ? (await live.sql.unsafe<{ itemId: string }[]>(wanted)).map((row) => row.itemId)
    : [wanted];
  const expected = { check, severity: 'critical', subjectType: 'record', subjectId: expect.toBeOneOf(subjects) };
  expect(found).toContainEqual(expect.objectContaining({ ...expected, ...also }));
}
