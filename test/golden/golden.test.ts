/**
 * A recorded world: every kind of command in both modes, and every channel that tells of it, byte for byte. A change of how facts are
 * kept must leave these files as they are. After a change of what operators are told: npx vitest run test/golden -u
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJournal } from '../../src/ledger/journal.ts';
import { entryOf } from '../../src/ledger/render/entry.ts';
import { itemsOf } from '../../src/ledger/render/items.ts';
import { readTold, rootOf, type Told } from './told.ts';
import { type GoldenWorld, recordWorld } from './world.ts';

let world: GoldenWorld;
const told = new Map<string, Told>();
beforeAll(async () => {
  world = await recordWorld();
  for (const one of world.tenants) {
    told.set(one.name, await readTold(world.live, one, world.received));
  }
}, 240_000);
afterAll(() => world.close());

test.each(['sandbox', 'live'])('what the %s operator is told is as it was recorded', async (name) => {
  await expect(told.get(name)?.text).toMatchFileSnapshot(`${name}.txt`);
});

test.each(['sandbox', 'live'])(
  'the root of the log of the %s operator is the root over the items of its feed',
  async (name) => {
    const tenant = world.tenants.find((one) => one.name === name)?.tenant;
    const { text } = await world.live.request('GET', '/api/v1/reconciliation/log/checkpoint', {
      key: tenant?.key ?? '',
    });
    const [, size, root] = text.split('\n');
    const { items } = told.get(name) as Told;
    expect([Number(size), root]).toEqual([items.length, rootOf(items)]);
  },
);

test.each(['sandbox', 'live'])(
  'the rows of the journal of the %s operator tell the items of its feed',
  async (name) => {
    const operatorId = world.tenants.find((one) => one.name === name)?.tenant.operator.operatorId ?? '';
    const rows = await readJournal(world.live.sql, operatorId, 0n, 10_000);
    const rendered = rows.flatMap((row) => {
      const items = itemsOf(row);
      expect(items).toHaveLength(row.items);
      return items.map((item, place) => ({
        ...item,
        sequence: Number(row.sequence) + place,
        occurredAt: row.recordedAt.toISOString(),
      }));
    });
    const { items } = told.get(name) as Told;
    expect(rendered.map(({ occurredAt: _, ...item }) => item)).toEqual(
      items.map(({ cursor: _, occurredAt: __, ...item }) => item),
    );
  },
);

test.each(['sandbox', 'live'])('lines of the %s operator in SQL are those that are rendered', async (name) => {
  const { sql } = world.live;
  const operatorId = world.tenants.find((one) => one.name === name)?.tenant.operator.operatorId ?? '';
  const rows = await readJournal(sql, operatorId, 0n, 10_000);
  const rendered = rows.flatMap((row) => {
    const entry = entryOf(row);
    return (entry?.lines ?? []).map(({ accountId, amountMinor }) =>
      [row.sequence, entry?.movementType, accountId, amountMinor].join(' '),
    );
  });
  const summed = await sql<{ line: string }[]>`
    select concat_ws(' ', sequence, movement_type, account_id, amount) as line
    from ledger_lines where operator_id = ${operatorId}`;
  expect(summed.map(({ line }) => line).sort()).toEqual(rendered.sort());
  const balances = new Map(
    rows.flatMap((row) => (entryOf(row)?.lines ?? []).map((line) => [line.accountId, line.balanceAfterMinor])),
  );
  const read = await sql<{ accountId: string; balance: bigint }[]>`
    select account_id, balance from balances_at(${operatorId}, 9223372036854775807) order by account_id`;
  expect(read.map(({ accountId, balance }) => [accountId, balance])).toEqual(
    [...balances].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
});
