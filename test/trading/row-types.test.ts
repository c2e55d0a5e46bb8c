/** Every row that TypeScript sends to a money statement, compared with the database's own catalogue: a misspelt column would be a silent null. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNTS,
  DEPOSITS,
  FILLS,
  FINDINGS,
  HOLDINGS,
  MOVEMENTS,
  ORDERS,
  POSITIONS,
  PROGRESS,
  SETTLEMENTS,
} from '../../src/audit/books.ts';
import { type RowType, rowType } from '../../src/db/row-type.ts';
import { JOURNAL_ENTRY } from '../../src/ledger/journal-row.ts';
import { BOOK_ROW, CONTRACT_ROW, EVENT_ROW, VENUE_FEED_STATE } from '../../src/markets/ingestion/ingest-rows.ts';
import { PAYOUT } from '../../src/settlement/settle-positions.ts';
import { NEW_ATTEMPT, ORDER_EFFECTS, ORDER_ROW } from '../../src/trading/orders/order.ts';
import { QUOTE_COMMAND } from '../../src/trading/quotes/issue-quote.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const COMPOSITES: Readonly<Record<string, RowType<never>>> = {
  quote_command: QUOTE_COMMAND,
  order_effects: ORDER_EFFECTS,
  payout: PAYOUT,
};

const columnsOf = ({ columns }: RowType<never>) => Object.fromEntries(columns.map(({ name, type }) => [name, type]));

async function attributesOf(relation: string): Promise<Record<string, string>> {
  const rows = await database.sql<{ name: string; type: string }[]>`
    select a.attname::text as name, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = ${relation}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

describe('a composite type of the money statements', () => {
  test.each(Object.entries(COMPOSITES))(
    '%s has the fields that are sent, with their types, in their order',
    async (name, type) => {
      expect(Object.entries(columnsOf(type))).toEqual(Object.entries(await attributesOf(name)));
    },
  );

  test('is described here', async () => {
    const rows = await database.sql<{ name: string }[]>`
      select relname::text as name from pg_class where relkind = 'c' and relnamespace = 'public'::regnamespace
        -- is sent back as the text that was read
        and relname <> 'known_market'`;
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(COMPOSITES).toSorted());
  });
});

describe('an order', () => {
  test('is sent with every column of the table that is written, in its order', async () => {
    const written = Object.entries(await attributesOf('order_row'));
    expect(Object.entries(columnsOf(ORDER_ROW))).toEqual(written);
    expect(Object.entries(await attributesOf('orders')).slice(0, written.length)).toEqual(written);
  });

  test('and its effects have no column of the same name, so that both can stand in one row', async () => {
    const effects = Object.keys(await attributesOf('order_effects'));
    const columns = Object.keys(await attributesOf('orders'));
    expect(effects.filter((name) => columns.includes(name))).toEqual([]);
  });
});

test.each([ACCOUNTS, DEPOSITS, FILLS, FINDINGS, HOLDINGS, MOVEMENTS, ORDERS, POSITIONS, PROGRESS, SETTLEMENTS])(
  'the auditor sends every column of $table, in its order',
  async ({ table, type }) => {
    const sent = Object.entries(columnsOf(type));
    // the auditor keeps times as text, with their microseconds
    const read = Object.entries(await attributesOf(table)).map(([name, sql]) => [
      name,
      sql.startsWith('timestamp') ? 'text' : sql,
    ]);
    expect(sent).toEqual(read);
  },
);

describe('a row of the journal', () => {
  /** What `append_to_journal` and the table give a row. */
  const given = (name: string) =>
    name.endsWith('_after') || ['sequence', 'version', 'recorded_at', 'decided_at'].includes(name);

  test('is sent with every column that the command decides; enums and ids as text', async () => {
    const enums = await database.sql<{ name: string }[]>`select typname::text as name from pg_type where typtype = 'e'`;
    const asText = new Set(['uuid', ...enums.map(({ name }) => name)]);
    const sent = Object.entries(await attributesOf('journal_row'));
    expect(sent).toEqual(Object.entries(await attributesOf('journal')).filter(([name]) => !given(name)));
    expect(Object.entries(columnsOf(JOURNAL_ENTRY))).toEqual(
      sent.map(([name, type]) => [name, asText.has(type) ? 'text' : type]),
    );
  });

  test('is written column by column, in the order of the table', async () => {
    const text = readFileSync(new URL('../../sql/functions/ledger/append.sql', import.meta.url), 'utf8');
    const [, written = ''] = /insert into journal as written\n\s+select([^;]*?)next_recorded_at/.exec(text) ?? [];
    const names = [...written.matchAll(/(?:entry|ledger)\.(\w+)/g)]
      .map(([, name]) => name)
      .filter((name) => name !== 'ordinality');
    const sent = Object.keys(await attributesOf('journal_row'));
    // the position may come from the command; the sequence is computed
    expect([...new Set(names)].slice(0, sent.length)).toEqual(sent);
  });
});

describe('a row inside a transition', () => {
  test.each([['transmissions', NEW_ATTEMPT, ['valid_seconds']]] as const)(
    'is written to columns of %s',
    async (table, type, computed) => {
      const attributes = await attributesOf(table);
      const columns = Object.entries(columnsOf(type)).filter(
        ([name]) => !(computed as readonly string[]).includes(name),
      );
      expect(columns.filter(([name, sqlType]) => attributes[name] !== sqlType)).toEqual([]);
    },
  );
});

describe('a row that a venue reported', () => {
  /** Columns with another name in the table. */
  const RENAMED: Readonly<Record<string, string>> = {
    sequence: 'venue_sequence',
    updated_at: 'book_updated_at',
    confirmed_at: 'book_confirmed_at',
  };

  test.each([
    ['events', EVENT_ROW, {}],
    ['contracts, listings', CONTRACT_ROW, {}],
    ['listings', BOOK_ROW, RENAMED],
    ['venue_feeds', VENUE_FEED_STATE, {}],
  ] as const)('is written to columns of %s', async (tables, type, renamed: Readonly<Record<string, string>>) => {
    const attributes = Object.assign({}, ...(await Promise.all(tables.split(', ').map(attributesOf))));
    const columns = Object.entries(columnsOf(type));
    expect(columns.filter(([name, sqlType]) => attributes[renamed[name] ?? name] !== sqlType)).toEqual([]);
  });

  test.each([
    ['events', 'markets/ingest.sql', EVENT_ROW],
    ['contracts', 'markets/ingest.sql', CONTRACT_ROW],
    ['books', 'markets/ingest.sql', BOOK_ROW],
    ['feeds', 'markets/ingest.sql', VENUE_FEED_STATE],
  ] as const)('of %s is read column by column in %s', (_, file, type) => {
    const text = readFileSync(new URL(`../../sql/functions/${file}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
    const recordsets = [...text.matchAll(/as given\(([^)]*)\)/g)].map((match) => match[1] ?? '').join(', ');
    const read = new Set(
      recordsets.split(', ').map((column) => column.replace('timestamptz', 'timestamp with time zone')),
    );
    expect(type.columns.filter(({ name, type: sqlType }) => !read.has(`${name} ${sqlType}`))).toEqual([]);
  });
});

test('a row is sent under the names of SQL, with 64-bit integers as text and without what is undefined', () => {
  const row = ORDER_EFFECTS.toJson({
    positionVersion: 9_007_199_254_740_993n,
    bookRevision: null,
    attempt: {
      ourId: 'att_1',
      venue: 'paper',
      listingId: 'l',
      side: 'YES',
      action: 'BUY',
      quantityMicros: 1n,
      limitPriceMicros: 2n,
      spendMicros: null,
      venueRef: null,
      venueTerms: null,
      validSeconds: 30,
    },
  });
  expect(JSON.parse(row)).toEqual({
    position_version: '9007199254740993',
    book_revision: null,
    attempt: {
      our_id: 'att_1',
      venue: 'paper',
      listing_id: 'l',
      side: 'YES',
      action: 'BUY',
      quantity_micros: '1',
      limit_price_micros: '2',
      spend_micros: null,
      venue_ref: null,
      venue_terms: null,
      valid_seconds: 30,
    },
  });
});

test('text in a row is written as JSON writes it, whatever its characters', () => {
  const { toJson } = rowType<{ readonly text: string; readonly count: number; readonly flag: boolean }>({
    text: 'text',
    count: 'integer',
    flag: 'boolean',
  });
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
  for (const text of ['', 'op_1', ...characters, 'a"b', '\\', 'é€😀', '\ud800', '\udc00x']) {
    const row = { text, count: -3, flag: false };
    expect(toJson(row)).toBe(JSON.stringify(row));
  }
});

test('text in an array of rows is what was sent, whatever its characters', async () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).slice(1);
  const texts = [
    '',
    ' ',
    'op_1',
    'null',
    'NULL',
    ',',
    '()',
    '{}',
    '{"a"}',
    'a"b',
    '\\',
    '\\"',
    '"",',
    'é€😀',
    ' a b ',
    ...characters,
  ];
  const rows = texts.map((opensPositionId, index) => ({
    opensPositionId,
    addQuantityMicros: index === 0 ? null : 9_007_199_254_740_993n,
    begins: index % 2 === 0,
    lookupInSeconds: 1.5,
    ...(index < 20 && { attempt: { venueRef: opensPositionId, quantityMicros: 1n } }),
  }));
  const read = await database.sql<Record<string, unknown>[]>`
    select opens_position_id, add_quantity_micros::text, begins, lookup_in_seconds, attempt
    from unnest(${ORDER_EFFECTS.toArray(rows as never)}::text::order_effects[]) with ordinality order by ordinality`;
  expect(read.map(({ opensPositionId }) => opensPositionId)).toEqual(texts);
  expect(read.map(({ begins }) => begins)).toEqual(rows.map(({ begins }) => begins));
  expect(read[0]).toMatchObject({ addQuantityMicros: null, lookupInSeconds: 1.5 });
  expect(read[1]).toMatchObject({ addQuantityMicros: '9007199254740993' });
  expect(read.slice(0, 20).map(({ attempt }) => attempt)).toMatchObject(
    texts.slice(0, 20).map((text) => ({ venue_ref: text, quantity_micros: '1' })),
  );
  expect(read[20]).toMatchObject({ attempt: null });
});
