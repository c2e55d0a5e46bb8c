/**
 * Single bits of the books, changed at random by the owner of the tables, are found and located from an export and a checkpoint
 * alone, by our verifier and by the one in Python: in every column of the feed, entries, lines, settlements, fills and seals.
 * INLAY_BIT_CHANGES sets how many (1000 take about a minute), INLAY_SEED replays a run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCheckpointFile } from '../../src/cli/feed/checkpoint-file.ts';
import { type FeedItemJson, hashItem } from '../../src/core/transparency-log/feed-leaf.ts';
import { verifySealedRecords } from '../../src/core/transparency-log/record-seals.ts';
import { type ReplayedItem, replayLog } from '../../src/core/transparency-log/replay-log.ts';
import { type RecordLine, replayRecords } from '../../src/core/transparency-log/replay-records.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { sealLedger } from '../../src/ledger/seal.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { sealRecords } from '../../src/ledger/transparency-log/seal-records.ts';
import { startWorld, type World } from '../reconciliation/world.ts';
import { type BitChange, pickBitChange } from '../support/bit-changes.ts';
import { fillsAsRows } from '../support/fill-rows.ts';
import { openChance } from '../support/random.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';

const CHANGES = Number(process.env['INLAY_BIT_CHANGES'] ?? 120);
const SEED = Number(process.env['INLAY_SEED'] ?? Date.now() % 1_000_000);
const RECORDS = ['ledger_entries', 'ledger_lines', 'settlements', 'fills', 'ledger_seals', 'record_seals'];
/** Fills are rows of their own, or part of the row of their order. */
const TABLES = [
  'feed_item_rows',
  'ledger_entries',
  'settlements',
  'fill_rows',
  'orders',
  'ledger_seals',
  'record_seals',
];
const FILLS = ['fill_rows', 'orders'];
/** Columns of an entry that an export shows as a record of its lines. */
const LINES = ['account_ids', 'amounts', 'balances_after'];
const VERIFIER = 'tools/verify/verify.py';
const hasPython = spawnSync('python3', ['--version']).status === 0;

let world: World;
let owner: Sql;
let folder: string;
let command: RunCommand;
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  world = await startWorld();
  owner = connect(world.service.database.ownerUrl, { max: 1, applicationName: 'record-bits' });
  command = await commandRunner({
    DATABASE_URL: world.service.database.url,
    INLAY_SECRET: 'a secret that only tests know',
    INLAY_API_URL: world.service.url,
    INLAY_API_KEY: world.service.key,
  });
  folder = await mkdtemp(join(tmpdir(), 'inlay-records-'));
  for (const resolution of ['YES', 'NO', 'VOID', 'SPLIT', null] as const) {
    const market = await world.market(`records-${resolution}`);
    await world.buy(market, 'ana');
    await world.buy(market, 'ben "b"', 'NO', 7);
    await world.sell(market, 'ana', 5);
    await world.damage(fillsAsRows("action = 'sell'").join(';'));
    if (resolution !== null) {
      await world.resolve(market, resolution, resolution === 'SPLIT' ? 333_333n : undefined);
    }
    await seal();
  }
  await keepBooks();
}, 120_000);
afterAll(async () => {
  await owner.end();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function seal(): Promise<void> {
  const { sql, context } = world.service;
  const signer = loadLogSigner(context.environment, context.secrets);
  await sealLedger(sql);
  await sealFeeds(sql, signer);
  await sealRecords(sql, signer);
}

/** What an operator stores. */
async function keepBooks(): Promise<void> {
  await writeFile(path('facts.jsonl'), (await command('feed', 'tail', '--json')).stdout);
  await command('feed', 'checkpoint', '--out', path('checkpoint.json'));
  await exportRecords('records.jsonl');
}

async function exportRecords(name: string): Promise<void> {
  const { exitCode } = await command(
    ...(['reconciliation', 'export', '--kind', 'records', '--format', 'jsonl', '--out', path(name)] as const),
  );
  expect(exitCode).toBe(0);
}

const ours = (records: string) =>
  command(
    ...(['feed', 'verify', path('facts.jsonl'), '--checkpoint', path('checkpoint.json')] as const),
    ...['--records', path(records), '--json'],
  );
const python = (records: string) =>
  spawnSync('python3', [VERIFIER, path('facts.jsonl'), path('checkpoint.json'), '--records', path(records)], {
    encoding: 'utf8',
  });

describe('the records beside the feed, off line', () => {
  test('all fit, and every table has some', async () => {
    const lines = (await readFile(path('records.jsonl'), 'utf8')).trimEnd().split('\n');
    const count = lines.filter((line) => !line.startsWith('{"record":"record_seals"')).length;
    expect([...new Set(lines.map((line) => JSON.parse(line).record))].sort()).toEqual(RECORDS.toSorted());
    const verdict = await ours('records.jsonl');
    expect(JSON.parse(verdict.stdout)).toMatchObject({ ok: true, records: { ok: true, count, fault: null } });
    expect(verdict.exitCode).toBe(0);
  });

  test('records that were written after the checkpoint are not its concern', async () => {
    await world.buy(await world.market('records-later'), 'ana');
    await exportRecords('later.jsonl');
    expect((await ours('later.jsonl')).exitCode).toBe(0);
    await seal();
    await exportRecords('later.jsonl');
    expect((await ours('later.jsonl')).exitCode).toBe(0);
    expect(hasPython ? python('later.jsonl').status : 0).toBe(0);
  });

  test('a record that is missing, a seal that is missing and a forged note are found', async () => {
    const lines = (await readFile(path('records.jsonl'), 'utf8')).trimEnd().split('\n');
    for (const without of ['"record":"fills"', '"record":"record_seals","number":3']) {
      const at = lines.findIndex((line) => line.includes(without));
      await writeFile(path('without.jsonl'), lines.filter((_, n) => n !== at).join('\n'));
      const verdict = await ours('without.jsonl');
      expect(verdict.exitCode).toBe(5);
      expect(JSON.parse(verdict.stdout).records.fault).toMatchObject({ record: 'record_seals' });
      expect(hasPython ? python('without.jsonl').stdout : 'seal').toContain('seal');
    }
    const kept = JSON.parse(await readFile(path('checkpoint.json'), 'utf8'));
    const forged = { ...kept, records: kept.records.replace(/[0-9a-f]{64}/, '0'.repeat(64)) };
    await writeFile(path('forged.json'), JSON.stringify(forged));
    const args = ['feed', 'verify', path('facts.jsonl'), '--checkpoint', path('forged.json')] as const;
    expect((await command(...args, '--records', path('records.jsonl'))).exitCode).toBe(5);
  });
});

interface Damaged extends BitChange {
  /** Which record of an export it changes. */
  readonly record: string;
  /** The row after the change, as an export has it. */
  readonly row: string;
  readonly kind: 'facts' | 'records';
  readonly lines: string[];
}

/** @returns the books with one bit changed, as an export shows them, or null if the table refuses the value. */
async function damagedBooks(): Promise<Damaged | null> {
  const change = await pickBitChange(owner, world.operatorId, chance, chance.pick(TABLES));
  if (change === null) {
    return null;
  }
  await owner.unsafe('begin');
  try {
    await owner.unsafe(`set local session_replication_role = replica; set local timezone = 'UTC'`);
    const [changed] = await owner.unsafe<{ row: string; orderId: string | undefined }[]>(
      `update ${change.partition} x set ${change.column} = ${change.write} where ctid = $2::text::tid
       returning json_strip_nulls(row_to_json(x))::text as row, to_jsonb(x) ->> 'order_id' as order_id`,
      [change.after, change.ctid],
    );
    const [fill] = FILLS.includes(change.table)
      ? await owner<{ row: string }[]>`
          select json_strip_nulls(row_to_json(f))::text as row from fills f
          where operator_id = ${world.operatorId} and order_id = ${changed?.orderId ?? ''}`
      : [];
    const facts = change.table === 'feed_item_rows';
    const lines = facts
      ? await owner<{ content: string }[]>`
          select feed_item_fact(f.position, f.type, f.item_id, f.occurred_at, f.external_user_id, f.position_id, f.order_id, f.money,
            f.detail) as content
          from feed_items f where operator_id = ${world.operatorId} order by position`
      : await owner<{ content: string }[]>`
          select content from record_seal_texts(${world.operatorId})
          union all (select content from all_book_records(${world.operatorId}))`;
    return {
      ...change,
      record: facts ? 'feed_items' : LINES.includes(change.column) ? 'ledger_lines' : fill ? 'fills' : change.table,
      row: (fill ?? changed)?.row.replace(/,"account_ids":.*"balances_after":\[[^\]]*\]/g, '') ?? 'no row',
      kind: facts ? 'facts' : 'records',
      lines: lines.map(({ content }) => content),
    };
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

const chance = openChance(SEED);

async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

/** A line that is no JSON any more is at least in its place; the command names file and line. */
const readItem = (line: string, index: number): ReplayedItem => {
  try {
    const item = JSON.parse(line) as FeedItemJson;
    return { sequence: Number(item['sequence']), itemId: String(item['id']), hash: hashItem(item) };
  } catch {
    return { sequence: index + 1, itemId: null, hash: Buffer.alloc(32) };
  }
};

/** Whether a position is one of a row of the feed, which begins at `place` as it was, or at the position that it says now. */
function isWithin(position: number | null, place: number, row: string): boolean {
  const { position: now } = JSON.parse(row) as { position: number };
  return position !== null && position >= Math.min(place, now) && position - place < 32;
}

/** Whether a fault names the row that was changed. */
function isLocated(change: Damaged, named: { record: string; position: number | null; row: string | null }): boolean {
  if (change.record === 'record_seals') {
    return named.record === change.record && named.position === change.place;
  }
  if (change.record === 'feed_items') {
    // one of the items of the row, or the first one that is missing if its position was changed
    return named.record === change.record && isWithin(named.position, Number(change.place), change.row);
  }
  // an entry is named that has lost a line
  return named.record === change.record && ((named.row ?? '').includes(change.row) || named.position === change.place);
}

test(`each of ${CHANGES} changed bits is found and located from export and checkpoint (seed ${SEED})`, {
  timeout: 180_000 + CHANGES * 500,
}, async () => {
  await keepBooks();
  const kept = await readCheckpointFile(path('checkpoint.json'));
  const signed = verifySealedRecords(kept.records ?? '', kept.verifierKey ?? '');
  const changes: Damaged[] = [];
  const missed: object[] = [];
  for (; changes.length < CHANGES; ) {
    const damaged = await damagedBooks();
    if (damaged === null) {
      continue;
    }
    changes.push(damaged);
    const { lines, kind, ...change } = damaged;
    if (kind === 'facts') {
      const fault = await replayLog(each(lines.map(readItem)), kept.checkpoint, kept.stored);
      if (fault === null || !isLocated(damaged, { record: 'feed_items', position: fault.sequence, row: null })) {
        missed.push({ ...change, ...fault });
      }
      continue;
    }
    const parsed = lines.map((text) => ({ ...JSON.parse(text), text }) as RecordLine);
    const { fault } = await replayRecords(each(parsed), signed);
    if (fault === null || !isLocated(damaged, fault)) {
      missed.push({ ...change, ...fault });
    }
  }
  expect(missed).toEqual([]);
  const columns = new Set(changes.map(({ table, column }) => `${table}.${column}`));
  console.info(`${changes.length} changed bits in ${columns.size} columns, seed ${SEED}`);
  if (hasPython) {
    expect(await missedByPython(changes)).toEqual([]);
  }
});

/** What the verifier in Python does not name as ours does. */
async function missedByPython(changes: readonly Damaged[]): Promise<unknown[]> {
  await writeFile(path('changes.jsonl'), changes.map((change) => JSON.stringify(change)).join('\n'));
  const script = `
import functools, io, json, sys
sys.path.insert(0, 'tools/verify')
import verify
verify.open_note = functools.cache(verify.open_note)
kept = json.load(open(sys.argv[1], encoding='utf-8'))
last, seal = kept['records'].split('\\n')[3:5]
missed = []
for line in open(sys.argv[2], encoding='utf-8'):
    change = json.loads(line)
    text = io.StringIO('\\n'.join(change['lines']))
    table, place = change['record'], change['place']
    try:
        said = verify.verify(text, kept, kept['verifierKey'], []) if change['kind'] == 'facts' else verify.verify_records(text, int(last), seal)
    except verify.Fault as fault:
        said = str(fault)
        if table == 'feed_items':
            now = json.loads(change['row'])['position']
            names = [f'item {n} ' for n in range(min(place, now), place + 32)]
        else:
            names = [f'{table} {place} ', f'seal {place} of the records' if table == 'record_seals' else change['row']]
        if any(name in said for name in names):
            continue
    missed.append([change['table'], change['column'], place, change['row'], said])
print(json.dumps(missed))`;
  const said = spawnSync('python3', ['-c', script, path('checkpoint.json'), path('changes.jsonl')], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect(said.stderr).toBe('');
  return JSON.parse(said.stdout) as unknown[];
}
