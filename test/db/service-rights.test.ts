/** What the service's own role cannot do: change or remove what other records are checked against. What it needs, it can do. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

/** Every column that the service may change on these tables. */
const CHANGEABLE: Record<string, readonly string[]> = {
  contract_resolutions: [],
  venue_evidence: [],
  order_transitions: [],
  quotes: [],
  quotes_rest: [],
  collateral_references: [],
};

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' order by attname`,
    [table],
  );
  return rows.map(({ name }) => name);
}

test.each(Object.entries(CHANGEABLE))('of %s the service changes only %j', async (table, changeable) => {
  const columns = await columnsOf(table);
  expect(columns.length).toBeGreaterThan(2);
  const changed: string[] = [];
  for (const column of columns) {
    const refusal = await database.sql.unsafe(`update ${table} set ${column} = ${column} where false`).then(
      () => null,
      (error: Error) => error.message,
    );
    if (refusal === null) {
      changed.push(column);
    } else {
      expect(refusal).toMatch(/permission denied/);
    }
  }
  expect(changed).toEqual(changeable);
});

test.each([
  'collateral_references',
  'contract_resolutions',
  'venue_evidence',
  'order_transitions',
  'orders',
  'positions',
  'position_holdings',
  'customers',
  'operators',
  'operator_ledgers',
  'wallets',
  'exposures',
  'transmissions',
  'sandbox_deposits',
  'quotes',
  'quotes_rest',
])('the service removes nothing from %s', async (table) => {
  await expect(database.sql.unsafe(`delete from ${table} where false`)).rejects.toThrow(/permission denied/);
  await expect(database.sql.unsafe(`truncate ${table}`)).rejects.toThrow(/permission denied/);
});

test('the service cannot invent a transition of orders', async () => {
  const invent = database.sql`insert into order_transitions values ('filled', 'cancelled', 'because')`;
  await expect(invent).rejects.toThrow(/permission denied/);
});

test('a week of quotes that was made while the service runs is guarded as the others', async () => {
  await database.sql`select make_partitions()`;
  const [week] = await database.sql<{ name: string }[]>`select name from quote_weeks() limit 1`;
  const change = database.sql.unsafe(`update ${week?.name} set price_micros = price_micros where false`);
  await expect(change).rejects.toThrow(/permission denied/);
});

test.each(['collateral_references', 'contract_resolutions', 'venue_evidence'])(
  '%s is append-only for the owner, too',
  async (table) => {
    await owner.query('begin');
    await owner.query('set local session_replication_role = replica');
    const columns = await columnsOf(table);
    await owner.query(`insert into ${table} ${sampleOf(table)}`);
    await owner.query('set local session_replication_role = origin');
    for (const statement of [
      `update ${table} set ${columns[0]} = ${columns[0]}`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]) {
      await owner.query('savepoint one');
      await expect(owner.query(statement)).rejects.toThrow(/append-only/);
      await owner.query('rollback to savepoint one');
    }
    await owner.query('rollback');
  },
);

function sampleOf(table: string): string {
  switch (table) {
    case 'collateral_references':
      return `(operator_id, reference, sequence) values ('op_x', 'wire', 1)`;
    case 'contract_resolutions':
      return `(contract_id, version, resolution, source, applied, occurred_at) values ('ctr_x', 1, 'YES', 'operator', true, now())`;
    default:
      return `(operator_id, order_id, kind, raw) values ('op_x', 'ord_x', 'garbage', '{}')`;
  }
}
