/**
 * Single bits of the books, changed at random by the owner of the tables: the verification (the whole report, and the feed against
 * its log) finds each one. A thousand changes, or as many as fit into the time limit, which INLAY_BIT_SECONDS sets. Replay with INLAY_SEED.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOn } from '../../src/audit/read-on.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { loadLogSigner, logVerifierKey, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { runVerifiedReport } from '../../src/reconciliation/report.ts';
import { openChance } from '../support/random.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANGES = 1_000;
const LIMIT_MS = Number(process.env['INLAY_BIT_SECONDS'] ?? 60) * 1000;
/** The machine may be busy; fewer prove too little. */
const LEAST = 60;
const SEED = Number(process.env['INLAY_SEED'] ?? Date.now() % 1_000_000);

/** What the columns say, and what a change of a bit means for them. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  // what each row tells of itself
  journal: { recorded_at: 'time', external_user_id: 'text', order_id: 'text', execution_ref: 'text' },
  orders: { filled_quantity_micros: 'number', price_weight: 'number' },
  feed_log_tiles: { hashes: 'bytes' },
  feed_log_heads: { root: 'bytes', size: 'number', note: 'text', verifier_key: 'text' },
};
type Kind = 'text' | 'number' | 'json' | 'time' | 'bytes';

let world: World;
let owner: Sql;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  const [won, lost, annulled, open] = [
    await world.openMarket('bits-won'),
    await world.openMarket('bits-lost'),
    await world.openMarket('bits-annulled'),
    await world.openMarket('bits-open'),
  ];
  for (const market of [won, lost, annulled, open]) {
    await world.buy(market, 'ana');
    await world.buy(market, 'ben', 'NO', 7);
    await world.sell(market, 'ana', 5);
  }
  await world.resolve(won, 'YES');
  await world.resolve(lost, 'NO');
  await world.resolve(annulled, 'VOID');
  const { sql, context, database } = world;
  await readOn(sql, world.operator.operatorId, toldOf);
  const signer = loadLogSigner(context.environment, context.secrets);
  key = logVerifierKey(world.operator.operatorId, signer);
  await sealFeeds(sql, signer);
  await runVerifiedReport(sql, world.operator.operatorId, key);
  owner = connect(database.ownerUrl, { max: 1, applicationName: 'bits' });
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

const chance = openChance(SEED);

interface Change {
  readonly table: string;
  readonly column: string;
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** One bit of a value that is not empty, changed. @returns undefined if the changed text means nothing else or cannot be stored. */
function flip(kind: Kind, before: string): string | undefined {
  if (kind === 'number') {
    return (BigInt(before) ^ (1n << BigInt(chance.below(20)))).toString();
  }
  if (kind === 'time') {
    // a feed item shows milliseconds
    return (BigInt(before) + (1n << BigInt(10 + chance.below(25)))).toString();
  }
  const bytes = Buffer.from(before, kind === 'bytes' ? 'hex' : 'utf8');
  const at = chance.below(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << chance.below(kind === 'bytes' ? 8 : 7));
  if (kind === 'bytes') {
    return bytes.toString('hex');
  }
  const after = bytes.toString('utf8');
  return /^[\x20-\x7e]+$/.test(after) && (kind === 'text' || saysSomethingElse(before, after)) ? after : undefined;
}

function saysSomethingElse(before: string, after: string): boolean {
  try {
    return JSON.stringify(JSON.parse(before)) !== JSON.stringify(JSON.parse(after));
  } catch {
    return false;
  }
}

const READ: Readonly<Record<Kind, (column: string) => string>> = {
  text: (column) => `${column}::text`,
  number: (column) => `${column}::text`,
  json: (column) => `${column}::text`,
  time: (column) => `(extract(epoch from ${column}) * 1000000)::bigint::text`,
  bytes: (column) => `encode(${column}, 'hex')`,
};
const WRITE: Readonly<Record<Kind, string>> = {
  text: '$1',
  number: '$1::text::bigint',
  json: '$1::text::json',
  time: "timestamptz 'epoch' + $1::text::bigint * interval '1 microsecond'",
  bytes: "decode($1, 'hex')",
};

async function pickChange(): Promise<Change | undefined> {
  const table = chance.pick(Object.keys(COLUMNS));
  const columns = COLUMNS[table] ?? {};
  const column = chance.pick(Object.keys(columns));
  const kind = columns[column] as Kind;
  const order = table === 'orders' ? 'order_id' : table.startsWith('feed_log') ? 'operator_id' : 'ctid';
  const rows = await owner.unsafe<{ place: string; value: string }[]>(
    `select tableoid::regclass || ' ' || ctid as place, ${READ[kind](column)} as value from ${table}
     where operator_id = $1 and ${column} is not null order by ${order}`,
    [world.operator.operatorId],
  );
  const { place = '', value = '' } = rows.length === 0 ? {} : chance.pick(rows);
  const after = value === '' ? undefined : flip(kind, value);
  return after === undefined ? undefined : { table, column, place, before: value, after };
}

/** @returns what the verification found, or null if the table refuses the value. */
async function findingsAfter({ table, column, place, after }: Change): Promise<number | null> {
  const kind = COLUMNS[table]?.[column] as Kind;
  const [partition = '', ctid = ''] = place.split(' ');
  await owner.unsafe('begin');
  try {
    await owner.unsafe('set local session_replication_role = replica');
    await owner.unsafe(`update ${partition} set ${column} = ${WRITE[kind]} where ctid = $2::text::tid`, [after, ctid]);
    const { findings } = await runVerifiedReport(owner, world.operator.operatorId, key);
    return findings.filter(({ severity }) => severity === 'critical').length;
  } catch (error) {
    // a constraint, or a partition that has no such row
    if (/^(23|22)/.test((error as pg.DatabaseError).code ?? '')) {
      return null;
    }
    throw error;
  } finally {
    await owner.unsafe('rollback');
  }
}

test(`each of ${CHANGES} changed bits is found (seed ${SEED})`, { timeout: LIMIT_MS * 3 }, async () => {
  expect(
    await findingsAfter({
      table: 'orders',
      column: 'filled_quantity_micros',
      place: 'orders (99999,1)',
      before: '',
      after: '1',
    }),
  ).toBe(0);
  const missed: Change[] = [];
  const end = performance.now() + LIMIT_MS;
  let made = 0;
  for (; made < CHANGES && (performance.now() < end || made < LEAST); ) {
    const change = await pickChange();
    const found = change === undefined ? null : await findingsAfter(change);
    if (found !== null) {
      made += 1;
      if (found === 0) {
        missed.push(change as Change);
      }
    }
  }
  expect(missed).toEqual([]);
  console.info(`${made} changes of single bits, seed ${SEED}`);
});
