/**
 * Every typed value of every row of the recorded world, changed alone: the auditor notices as it reads, or the value is of a column that
 * no rule of the specification decides. And money moved from one account to another so that the row, and all balances after it, agree.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditedRow, Books } from '../../src/audit/books.ts';
import { COLUMNS } from '../../src/audit/entries.ts';
import { fold } from '../../src/audit/fold.ts';
import { readBooks, readPlace, readRows } from '../../src/audit/read-on.ts';
import { JOURNAL_KINDS } from '../../src/ledger/journal-row.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { type GoldenWorld, recordWorld } from '../golden/world.ts';

let world: GoldenWorld;
const recorded: { books: Books; rows: readonly AuditedRow[] }[] = [];

beforeAll(async () => {
  world = await recordWorld();
  const { sql } = world.live;
  for (const { tenant } of world.tenants) {
    const { operatorId } = tenant.operator;
    const { rows } = await readRows(sql, operatorId, toldOf, 0n, 10_000);
    recorded.push({ rows, books: await readBooks(sql, await readPlace(sql, operatorId), rows) });
  }
}, 120_000);
afterAll(() => world.close());

/** The row with other values, and as it is rendered with them. */
function forge(row: AuditedRow, others: object): AuditedRow {
  const forged = { ...row, ...others };
  const dates = { recordedAt: new Date(row.recordedAt), decidedAt: new Date(row.decidedAt), effectiveAt: null };
  try {
    return { ...forged, told: toldOf({ ...forged, ...dates }) };
  } catch (error) {
    return { ...forged, told: String(error) };
  }
}

function findings(books: Books, rows: readonly AuditedRow[]) {
  const copy = structuredClone(books);
  fold(copy, rows);
  return copy.findings;
}

const STATUSES = [
  'reserve_pending',
  'pending_venue_execution',
  'submitted',
  'partially_filled',
  'filled',
  'rejected',
  'cancelled',
];

/** Another value of the same type; of a closed set, each of the others. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  kind: JOURNAL_KINDS,
  side: ['YES', 'NO'],
  action: ['buy', 'sell'],
  status: STATUSES,
  fromStatus: STATUSES,
  transmissionState: ['not_transmitted', 'unknown', 'resolved'],
  intent: ['record_intent', 'simulate'],
  resolution: ['YES', 'NO', 'VOID', 'SPLIT'],
  outcome: ['won', 'lost', 'void'],
  funds: ['wallet', 'collateral', 'cash'],
  otherAccount: ['sandbox:float', 'deposits', 'overrun', 'fees:returned'],
};

function othersOf(column: string, value: unknown): readonly unknown[] {
  const set = SETS[column];
  if (set !== undefined && typeof value === 'string') {
    return set.filter((other) => other !== value);
  }
  switch (typeof value) {
    case 'bigint':
      return [value + 1n];
    case 'number':
      return [value + 1];
    case 'boolean':
      return [!value];
    case 'string':
      return [`${value}x`];
    default:
      return [];
  }
}

/** What reading alone does not decide, and where it is found: in the service's own tables, by the proof of the log, or nowhere. */
const DECIDED_ELSEWHERE = {
  'the tables of orders, attempts, positions and deposits': [
    'orderId',
    'clientOrderId',
    'executionRef',
    'externalUserId',
    'positionId',
    'contractId',
    'quoteId',
    'slippageMicros',
    'scenarioId',
    'quantityMicros',
    'ourId',
    'validSeconds',
    'venueFillId',
    'priceMicros',
    'fillFeeMicros',
    'cancellationId',
    'reference',
    'resolutionVersion',
    'yesWorthMicros',
  ],
  'the log: words and times that nothing else has': ['digits', 'memo', 'reason', 'partial', 'venueAgrees'],
} as const;

/** Read as text, of the query itself, or without a reader. */
const LEFT_OUT = [
  'told',
  'digest',
  'operatorId',
  'version',
  'recordedAt',
  'decidedAt',
  'recordedText',
  'decidedText',
  'effectiveText',
];

// contract 22.19
test('a value of a row that is not what follows from the rows before it is found', {
  timeout: 180_000,
  tags: 'proof',
}, () => {
  const unnoticed = new Set<string>();
  for (const { books, rows } of recorded) {
    expect(findings(books, rows)).toEqual([]);
    for (const [index, row] of rows.entries()) {
      const typed = Object.entries(row).filter(([column]) => !LEFT_OUT.includes(column) && tells(row, column));
      for (const [column, value] of typed) {
        for (const other of othersOf(column, value)) {
          if (findings(books, rows.with(index, forge(row, { [column]: other }))).length === 0) {
            unnoticed.add(column);
          }
        }
      }
    }
  }
  const elsewhere: readonly string[] = Object.values(DECIDED_ELSEWHERE).flat();
  expect([...unnoticed].filter((column) => !elsewhere.includes(column))).toEqual([]);
  expect(elsewhere.filter((column) => !unnoticed.has(column))).toEqual([]);
});

/** An account without an amount is of no line. */
const tells = (row: AuditedRow, column: string) => column !== 'otherAccount' || Boolean(row.other);

/** How much comes from outside is in the tables of deposits alone. */
const FROM_OUTSIDE: readonly string[] = ['wallet_funded', 'collateral_moved'];

test('a cent moved from one line of a row to another, balances after it corrected, is found', () => {
  const unnoticed: unknown[] = [];
  for (const { books, rows } of recorded) {
    for (const [index, row] of rows.entries().filter(([, { kind }]) => !FROM_OUTSIDE.includes(kind))) {
      const moved = COLUMNS.filter((column) => row[column]);
      for (const from of moved) {
        for (const to of moved.filter((column) => column !== from)) {
          const forged = forge(row, { [from]: (row[from] ?? 0n) - 1n, [to]: (row[to] ?? 0n) + 1n });
          const found = findings(books, rows.with(index, forged)).filter(
            ({ detail }) => !detail.includes('balance after'),
          );
          if (found.length === 0) {
            unnoticed.push([row.kind, from, to]);
          }
        }
      }
    }
  }
  expect(unnoticed).toEqual([]);
});

test('a live fill that is not within what was asked of the venue is named, and one that a person told is not', () => {
  const beyond = 'The fills exceed the attempt that was sent to the venue.';
  const damages: readonly ((row: AuditedRow) => Partial<AuditedRow>)[] = [
    (row) => ({ quantityMicros: (row.quantityMicros ?? 0n) * 10n, priceMicros: (row.priceMicros ?? 0n) / 10n }),
    (row) => ({ priceMicros: (row.priceMicros ?? 0n) + (row.action === 'buy' ? 200_000n : -200_000n) }),
  ];
  let forged = 0;
  for (const { books, rows } of recorded) {
    const live = [...rows.entries()].filter(([, row]) => row.kind === 'order_filled' && row.simulated === false);
    for (const [index, row] of live) {
      const attested = books.attested.has(row.orderId ?? '');
      for (const damage of damages) {
        const details = findings(books, rows.with(index, forge(row, damage(row)))).map(({ detail }) => detail);
        expect(details.includes(beyond), `${row.action} at ${row.sequence}`).toBe(!attested);
        forged += 1;
      }
    }
  }
  expect(forged).toBeGreaterThan(10);
});

test.each(['removed', 'doubled', 'exchanged'] as const)('a row that is %s is found', (damage) => {
  for (const { books, rows } of recorded) {
    for (const [index, row] of rows.slice(0, -1).entries()) {
      const next = rows[index + 1] as AuditedRow;
      const replacement = { removed: [next], doubled: [row, row, next], exchanged: [next, row] }[damage];
      const damaged = rows.toSpliced(index, 2, ...replacement);
      expect(findings(books, damaged), `${row.kind} at ${row.sequence}`).not.toEqual([]);
    }
  }
});
