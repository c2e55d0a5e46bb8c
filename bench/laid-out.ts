/**
 * The items, entries and lines of the books as plain tables, rendered from the journal as the service renders them, for the baselines of
 * `feed-read`, `export` and `report`. A baseline then copies or sums the very rows that the service makes.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readJournal } from '../src/ledger/journal.ts';
import type { JournalRow } from '../src/ledger/journal-row.ts';
import { placedItems, postedEntry } from '../src/ledger/render/items.ts';
import type { World } from './world.ts';

export interface Counts {
  readonly entries: number;
  readonly lines: number;
  readonly items: number;
}

const PAGE = 5_000;

const TABLES = `
  create table bench_items (operator_id text, position bigint, type text, item_id text, occurred_at timestamptz,
    external_user_id text, position_id text, order_id text, money json, detail json, primary key (operator_id, position));
  create table bench_entries (operator_id text, position bigint, entry_id text, recorded_at timestamptz, movement_type text,
    memo text, reference_type text, reference_id text, primary key (operator_id, position));
  create table bench_lines (operator_id text, position bigint, line_no integer, account_id text, amount bigint,
    balance_after bigint, primary key (operator_id, position, line_no))`;

type Cell = string | number | bigint | null;

export async function layOut(world: World, operatorId: string): Promise<Counts> {
  const client = new pg.Client({ connectionString: world.database.ownerUrl });
  await client.connect();
  const counts = { items: 0, entries: 0, lines: 0 };
  const fill = async (table: string, rows: readonly Cell[][]) => {
    const text = Readable.from(rows.map((cells) => `${[operatorId, ...cells].map(inText).join('\t')}\n`));
    await pipeline(text, client.query(copyFrom(`copy ${table} from stdin`)));
    return rows.length;
  };
  try {
    await client.query(TABLES);
    for (let after = 0n; ; ) {
      const page = await readJournal(world.sql, operatorId, after, PAGE);
      counts.items += await fill('bench_items', page.flatMap(itemCells));
      counts.entries += await fill('bench_entries', page.flatMap(entryCells));
      counts.lines += await fill('bench_lines', page.flatMap(lineCells));
      const last = page.at(-1);
      if (last === undefined) {
        break;
      }
      after = last.sequence + BigInt(last.items) - 1n;
    }
    await client.query('vacuum analyze bench_items, bench_entries, bench_lines');
  } finally {
    await client.end();
  }
  return counts;
}

const itemCells = (row: JournalRow): Cell[][] =>
  placedItems(row).map(({ sequence, type, id, occurredAt, externalUserId, positionId, orderId, money, detail }) => [
    ...[sequence, type, id, occurredAt, externalUserId, positionId, orderId],
    ...[money && JSON.stringify(money), JSON.stringify(detail)],
  ]);

function entryCells(row: JournalRow): Cell[][] {
  const entry = postedEntry(row);
  if (entry === null) {
    return [];
  }
  const { sequence, entryId, recordedAt, movementType, memo, referenceType, referenceId } = entry;
  const when = recordedAt.toISOString();
  return [[sequence, entryId, when, movementType, memo, referenceType, referenceId]];
}

function lineCells(row: JournalRow): Cell[][] {
  const entry = postedEntry(row);
  return (entry?.lines ?? []).map(({ accountId, amountMinor, balanceAfterMinor }, index) => [
    ...[entry?.sequence ?? null, index + 1, accountId, amountMinor, balanceAfterMinor],
  ]);
}

/** A cell in the text form of COPY. */
function inText(cell: Cell): string {
  return cell === null
    ? '\\N'
    : String(cell).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
