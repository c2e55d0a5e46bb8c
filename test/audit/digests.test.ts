/**
 * Rows that never change, changed by the owner of the tables: the journal, quotes, limits, evidence, deliveries and statements of
 * periods. The auditor remembers each row that it has read, and names the one that is another since.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareDigests } from '../../src/audit/digests.ts';
import { readAnew } from '../../src/audit/read-on.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { loadLogSigner, logVerifierKey, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { closePeriod } from '../../src/ledger/periods.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { runVerifiedReport } from '../../src/reconciliation/report.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let owner: Sql;
let operatorId: string;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  ({ operatorId } = world.operator);
  const market = await world.openMarket('kept');
  await world.damage(
    `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, active, disabled_reason, secret_sealed, registered_at, updated_at)
       values ('${operatorId}', 'whe_kept', 1, 'https://example.com', 'example.com', '{order.filled}', false, 'gone', 'x', now(), now());
     insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence, recorded_at, type)
       values ('${operatorId}', 'dlv_kept', 'whe_kept', 'evn_kept', 1, now(), 'order.filled')`,
  );
  for (const user of ['ana', 'ben']) {
    const bought = await world.buy(market, user);
    await world.sell(market, user, 5);
    await world.buy(market, user, 'NO', 7, { executionIntent: 'record_intent' });
    const limits = { maxWagerMinor: 5_000, periodStakeMinor: null, periodHours: null };
    await world.request('PUT', `/api/v1/users/${user}/limits`, { body: limits });
    await world.sql`
      insert into venue_evidence (operator_id, order_id, kind, severity, raw)
      values (${operatorId}, ${bought.orderId}, 'person', 'info', '{"evidence":"seen"}')`;
  }
  await world.resolve(market, 'YES');
  const signer = loadLogSigner(world.context.environment, world.context.secrets);
  key = logVerifierKey(operatorId, signer);
  await sealFeeds(world.sql, signer);
  await closePeriod(world.sql, signer, operatorId, new Date(Date.now() - 60_000));
  await world.sql`insert into period_statements (operator_id, number, note) values (${operatorId}, 1, 'signed') on conflict do nothing`;
  owner = connect(world.database.ownerUrl, { max: 1, applicationName: 'digests' });
  await runVerifiedReport(world.sql, operatorId, key);
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

/** What the digests say after a change, which is undone; null if the table refuses it. */
async function foundAfter(statement: string) {
  await owner.unsafe('begin');
  try {
    await owner.unsafe('set local session_replication_role = replica');
    const { count } = await owner.unsafe(statement);
    return count === 0 ? null : await compareDigests(owner, operatorId);
  } catch (error) {
    if (/^2[23]/.test(String((error as { code?: string }).code))) {
      return null;
    }
    throw error;
  } finally {
    await owner.unsafe('rollback');
  }
}

interface Kept {
  readonly table: string;
  readonly subject: string;
  readonly check: string;
  /** What may change. */
  readonly leftOut: readonly string[];
  /** Whether rows leave when they are old. */
  readonly leaves?: boolean;
}

const KEPT: readonly Kept[] = [
  { table: 'journal', subject: 'sequence', check: 'feed_gap', leftOut: [] },
  { table: 'quotes', subject: 'quote_id', check: 'order_terms', leftOut: ['expires_at'], leaves: true },
  { table: 'limit_changes', subject: 'change_no', check: 'period_window', leftOut: [] },
  { table: 'venue_evidence', subject: 'evidence_id', check: 'venue_evidence', leftOut: [] },
  { table: 'period_statements', subject: 'number', check: 'closed_period', leftOut: [] },
  {
    table: 'webhook_deliveries',
    subject: 'delivery_id',
    check: 'webhook_due',
    leaves: true,
    leftOut: [
      'status',
      'attempts',
      'window_attempts',
      'window_started_at',
      'queued_at',
      'next_attempt_at',
      'finished_at',
    ],
  },
];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[] | null;
}

/** Another value than the column has. */
function another({ name, type, labels }: Column): string {
  if (labels !== null) {
    return `case when ${name} = '${labels[0]}' then '${labels[1]}' else '${labels[0]}' end::${type}`;
  }
  switch (type) {
    case 'boolean':
      return `not coalesce(${name}, false)`;
    case 'timestamp with time zone':
      return `coalesce(${name}, now()) + interval '1 microsecond'`;
    case 'uuid':
      return 'gen_random_uuid()';
    case 'json':
    case 'jsonb':
      return `'{"of":"something else"}'`;
    case 'text':
    case 'id':
      return `coalesce(${name}, '') || 'x'`;
    default:
      return `coalesce(${name}, 0) + 1`;
  }
}

// contract 22.20
test('nothing is found in what nobody changed', async () => {
  expect(await compareDigests(world.sql, operatorId)).toEqual([]);
  const { ok } = await runVerifiedReport(world.sql, operatorId, key);
  expect(ok).toBe(true);
});

// contract 22.20
test.each(KEPT)('a change of any column of a row of $table is found', { timeout: 120_000 }, async (kept) => {
  const { table, subject, check, leftOut } = kept;
  const columns = await world.sql<Column[]>`
    select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = a.atttypid) as labels
    from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped`;
  const names = columns.filter(({ name }) => !['operator_id', subject, ...leftOut].includes(name));
  let found = 0;
  for (const column of names) {
    const row = `(operator_id, ${subject}) = (select operator_id, ${subject} from ${table} where operator_id = '${operatorId}' order by ${subject} limit 1)`;
    const findings = await foundAfter(`update ${table} set ${column.name} = ${another(column)} where ${row}`);
    if (findings !== null) {
      expect(findings, column.name).toEqual([expect.objectContaining({ check, severity: 'critical' })]);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(names.length / 2);
});

// contract 22.20
test.each(KEPT.filter(({ leaves }) => !leaves))(
  'a row of $table that is removed is found',
  async ({ table, check }) => {
    const findings = await foundAfter(
      `delete from ${table} where ctid = (select ctid from ${table} where operator_id = '${operatorId}' order by random() limit 1) and operator_id = '${operatorId}'`,
    );
    expect(findings).toEqual([expect.objectContaining({ check, detail: expect.stringContaining('is gone') })]);
  },
);

// contract 22.20
test.each(KEPT.filter(({ leaves }) => leaves))('a row of $table may leave, and is forgotten', async ({ table }) => {
  const remembered = async (sql: Sql) => {
    const [row] = await sql`
      select coalesce(sum(cardinality(keys)), 0)::int as rows from audit.digests where operator_id = ${operatorId} and source = ${table}`;
    return row?.['rows'];
  };
  expect(await foundAfter(`delete from ${table} where operator_id = '${operatorId}'`)).toEqual([]);
  expect(await remembered(owner)).toBeGreaterThan(0);
});

// contract 22.20
test('a row that comes between others of the journal is found', async () => {
  const findings = await foundAfter(
    `insert into journal select (jsonb_populate_record(row, jsonb_build_object('sequence', row.sequence + 1))).* from journal row
     where operator_id = '${operatorId}' and kind = 'order_executed' order by sequence limit 1`,
  );
  expect(findings).toEqual([
    expect.objectContaining({ check: 'feed_gap', detail: expect.stringContaining('was not there') }),
  ]);
});

// contract 22.20
test('a changed row is named each night until it is as it was, also when the books are built anew', async () => {
  const change = (to: string) =>
    world.damage(`update journal set memo = ${to} where operator_id = '${operatorId}' and sequence = 1`);
  const [row] = await world.sql<{ memo: string }[]>`
    select memo from journal where operator_id = ${operatorId} and sequence = 1`;
  await change(`'another one'`);
  const changed = {
    check: 'feed_gap',
    severity: 'critical',
    detail: 'The row 1 of journal is not as it was when the auditor read it.',
    subjectType: 'record',
    subjectId: '1',
  };
  for (const anew of [false, true, false]) {
    const { ok, findings } = await runVerifiedReport(world.sql, operatorId, key, world.sql, anew);
    expect(ok).toBe(false);
    expect(findings).toContainEqual(changed);
  }
  await change(`'${row?.memo}'`);
  expect((await runVerifiedReport(world.sql, operatorId, key)).ok).toBe(true);
});

test('several that read remember a row once or alike', async () => {
  const market = await world.openMarket('kept-later');
  await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => world.buy(market, `user ${n}`)),
    ...Array.from({ length: 4 }, () => readAnew(world.sql, operatorId, toldOf)),
  ]);
  await readAnew(world.sql, operatorId, toldOf);
  expect(await compareDigests(world.sql, operatorId)).toEqual([]);
});
