/**
 * Entries from before their lines were kept inside them (migration 0061) have their lines in rows. Everything reads the same of both
 * forms: books of today are turned into the older form, some entries or all of them, and compared with what was read before.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balancesAt } from '../../src/ledger/balances.ts';
import { correctEntry } from '../../src/ledger/correct-entry.ts';
import { sealLedger, verifyLedger } from '../../src/ledger/seal.ts';
import { listWalletEntries } from '../../src/sandbox/wallets.ts';
import { startWorld, type World } from '../reconciliation/world.ts';

let world: World;
let first: string;

beforeAll(async () => {
  world = await startWorld();
  const [won, open] = [await world.market('rows-won'), await world.market('rows-open')];
  const placed = await world.buy(won, 'ana');
  first = placed.orderId;
  await world.buy(open, 'ana');
  await world.buy(won, 'ben "b"', 'NO', 7);
  await world.sell(won, 'ana', 5);
  await world.resolve(won, 'YES');
  const [entry] = await world.service.sql<{ entryId: string }[]>`
    select entry_id from ledger_entries where reference_id = ${first} and movement_type = 'ORDER_FILL'`;
  // customers are named by the lines of a correction alone
  const correction = await correctEntry(world.service.sql, world.operatorId, {
    entryId: entry?.entryId ?? '',
    memo: 'To the wrong customer',
    lines: [
      ['wallet:ben "b"', -300n],
      ['stakes', 300n],
    ],
  });
  await correctEntry(world.service.sql, world.operatorId, { entryId: correction, memo: 'Taken back' });
  await sealLedger(world.service.sql);
});
afterAll(() => world.close());

/** @param which condition on an entry */
const asRows = (which: string) =>
  world.damage(`
    insert into ledger_line_rows (operator_id, position, line_no, account_id, amount, balance_after)
    select operator_id, position, line_no, account_id, amount, balance_after from ledger_lines
    where position in (select position from ledger_entries where amounts is not null and ${which});
    update ledger_entries set account_ids = null, amounts = null, balances_after = null where ${which}`);

const exported = async (kind: string, format = 'csv') =>
  (await world.service.request('GET', `/api/v1/reconciliation/export?kind=${kind}&format=${format}`)).text;

async function readAll(): Promise<Record<string, unknown>> {
  const { sql, request } = world.service;
  const { operatorId } = world;
  const walletPages = async (user: string) => {
    const pages = [];
    for (let before: bigint | null = null; ; ) {
      const page = await listWalletEntries(sql, operatorId, user, before, 2);
      pages.push(page);
      before = page[1]?.position ?? null;
      if (page.length < 3) {
        return pages;
      }
    }
  };
  const { ranAt: _, ...report } = (await request('GET', '/api/v1/reconciliation')).body;
  return {
    verdict: await verifyLedger(sql, operatorId),
    report,
    ledger: await exported('ledger'),
    revenue: await exported('revenue&by=customer'),
    statement: await exported('statement'),
    records: await exported('records', 'jsonl'),
    wallets: await Promise.all(['ana', 'ben "b"'].map(walletPages)),
    balances: await balancesAt(sql, operatorId),
    sums: await sql`select * from account_sums(${operatorId}, 0) order by 1`,
    since:
      await sql`select * from account_sums_since(${operatorId}, 0, ${sql.json({ position: 8, accounts: [] })}) order by 1`,
    reached: await sql`
      select at, reached.* from generate_series(0, (select feed_position from operator_counters where operator_id = ${operatorId})) at
        cross join lateral balances_at(${operatorId}, at) reached order by 1, 2`,
    marks: await sql`select * from ledger_marks(${operatorId}, 0, 1000)`,
    digest: await sql`select ledger_digest(${operatorId}, 3, 1000)`,
  };
}

test('the report, seals, exports, wallets and balances of both forms are the same', async () => {
  const before = await readAll();
  expect(before['report']).toMatchObject({ ok: true });
  expect(before['verdict']).toMatchObject([{ ok: true }]);
  for (const which of ['position % 2 = 0', 'position < 9', 'true']) {
    await asRows(which);
    expect(await readAll()).toEqual(before);
  }
  const [left] = await world.service.sql`select 1 from ledger_entries where amounts is not null`;
  expect(left).toBeUndefined();
});

test('trading goes on after entries of the older form, on their balances', async () => {
  const placed = await world.buy(await world.market('rows-later'), 'ana');
  const [entry] = await world.service.sql<{ inside: boolean; fits: boolean }[]>`
    select amounts is not null as inside, balances_after[1] = (select balance from account_balances b
      where b.operator_id = e.operator_id and b.account_id = 'wallet:ana') as fits
    from ledger_entries e where reference_id = ${placed.orderId}`;
  expect(entry).toEqual({ inside: true, fits: true });
  await sealLedger(world.service.sql);
  expect(await verifyLedger(world.service.sql, world.operatorId)).toMatchObject([{ ok: true }]);
  expect((await world.service.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true });
});

describe('what the release before writes', () => {
  test('goes into rows through the view', async () => {
    const { sql } = world.service;
    await sql`
      insert into ledger_lines (operator_id, position, line_no, account_id, amount, balance_after)
      values (${world.operatorId}, 77777, 1, 'stakes', 5, 5), (${world.operatorId}, 77777, 2, 'result', -5, -5)`;
    expect(await sql`select account_id, amount from ledger_line_rows where position = 77777 order by line_no`).toEqual([
      { accountId: 'stakes', amount: 5n },
      { accountId: 'result', amount: -5n },
    ]);
  });

  test.each(['update ledger_line_rows set amount = amount + 1', 'delete from ledger_line_rows'])(
    'even the owner may not: %s',
    async (statement) => {
      const owner = new pg.Client({ connectionString: world.service.database.ownerUrl });
      await owner.connect();
      await expect(owner.query(statement)).rejects.toThrow(/append-only/);
      await owner.end();
    },
  );
});
