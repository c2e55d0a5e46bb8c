/** One bit of one column of a table, changed at random; the columns are those that the table has. */
import type { Sql } from '../../src/db/client.ts';
import type { Chance } from './random.ts';

export interface BitChange {
  readonly table: string;
  readonly column: string;
  /** Where the row is. */
  readonly partition: string;
  readonly ctid: string;
  /** Position in the feed, or number of the seal; null for a fill, which has neither. */
  readonly place: number | null;
  readonly before: string;
  readonly after: string;
  /** SQL expression of the new value; its text is $1. */
  readonly write: string;
}

interface Form {
  readonly read: (column: string) => string;
  readonly write: string;
  /** @returns undefined if the changed text says nothing else or cannot be stored */
  readonly flip: (value: string, chance: Chance, lowest: number) => string | undefined;
}

const integer = (bits: number): Form => ({
  read: (column) => `${column}::text`,
  write: `$1::text::int${bits / 8}`,
  flip: (value, chance) => (BigInt(value) ^ (1n << BigInt(chance.below(bits - 1)))).toString(),
});
const text: Form = {
  read: (column) => `${column}::text`,
  write: '$1',
  flip: (value, chance) => {
    const after = flipByte(Buffer.from(value), chance, 7).toString();
    // Unicode has no such text, or JSON would write it differently
    return after.includes('\ufffd') || JSON.stringify(after).includes('\\u') ? undefined : after;
  },
};
const FORMS: Readonly<Record<string, Form>> = {
  text,
  int2: integer(16),
  int4: integer(32),
  int8: integer(64),
  bool: {
    read: (column) => `${column}::text`,
    write: '$1::text::boolean',
    flip: (value) => (value === 'true' ? 'false' : 'true'),
  },
  bytea: {
    read: (column) => `encode(${column}, 'hex')`,
    write: "decode($1, 'hex')",
    flip: (value, chance) => flipByte(Buffer.from(value, 'hex'), chance, 8).toString('hex'),
  },
  timestamptz: {
    read: (column) => `(extract(epoch from ${column}) * 1000000)::bigint::text`,
    write: "timestamptz 'epoch' + $1::text::bigint * interval '1 microsecond'",
    flip: (value, chance, lowest) => (BigInt(value) ^ (1n << BigInt(lowest + chance.below(45 - lowest)))).toString(),
  },
  json: {
    read: (column) => `${column}::text`,
    write: '$1::text::json',
    flip: (value, chance) => {
      const after = text.flip(value, chance, 0);
      return after !== undefined && saysSomethingElse(value, after) ? after : undefined;
    },
  },
  _text: {
    read: (column) => `array_to_json(${column})::text`,
    write: '(select array_agg(value) from json_array_elements_text($1::text::json))',
    flip: (value, chance) => {
      const texts = JSON.parse(value) as string[];
      const at = chance.below(texts.length);
      const after = text.flip(texts[at] ?? '', chance, 0);
      return after === undefined ? undefined : JSON.stringify(texts.map((one, n) => (n === at ? after : one)));
    },
  },
  _int8: {
    read: (column) => `array_to_json(${column})::text`,
    write: '(select array_agg(value::bigint) from json_array_elements_text($1::text::json))',
    flip: (value, chance) => {
      const numbers = JSON.parse(value) as number[];
      const at = chance.below(numbers.length);
      return JSON.stringify(numbers.map((one, n) => (n === at ? one ^ (1 << chance.below(30)) : one)));
    },
  },
};

/** The lowest bit of a column that an export shows: a feed item has milliseconds. */
const LOWEST: Readonly<Record<string, number>> = { 'feed_item_rows.occurred_at': 10 };
/** Of a table that is sealed in part: which rows and columns are. */
const SEALED: Readonly<Record<string, { readonly rows: string; readonly columns: readonly string[] }>> = {
  // the price of an order's own fill is made of the rest of its row, and of a column that has no bits of its own
  orders: { rows: 'filled_at_once', columns: ['order_id', 'filled_quantity', 'created_at'] },
};
const PLACE: Readonly<Record<string, string>> = {
  settlements: 'feed_position',
  fill_rows: 'null',
  orders: 'null',
  ledger_seals: 'number',
  record_seals: 'number',
};

/**
 * The note over a seal is left out: its signature says whether it is right.
 * @returns null if the column that was drawn has no value to change
 */
export async function pickBitChange(
  sql: Sql,
  operatorId: string,
  chance: Chance,
  table: string,
): Promise<BitChange | null> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name not in ('operator_id', 'note')
    order by ordinal_position`;
  const { rows: sealed, columns: names } = SEALED[table] ?? { rows: 'true', columns: columns.map(({ name }) => name) };
  const { name, type } = chance.pick(columns.filter((column) => names.includes(column.name)));
  const form = FORMS[type];
  if (form === undefined) {
    throw new Error(`${table}.${name}: no bit of a ${type} can be changed yet`);
  }
  const place = PLACE[table] ?? 'position';
  const rows = await sql.unsafe<{ partition: string; ctid: string; place: number | null; value: string }[]>(
    `select tableoid::regclass::text as partition, ctid::text, ${place}::float8 as place, ${form.read(name)} as value
     from ${table} x where operator_id = $1 and ${name} is not null and ${sealed} order by 1, x.ctid`,
    [operatorId],
  );
  const row = rows.length === 0 ? undefined : chance.pick(rows);
  const after =
    row === undefined || row.value === '' ? undefined : form.flip(row.value, chance, LOWEST[`${table}.${name}`] ?? 0);
  return row === undefined || after === undefined || after === row.value
    ? null
    : {
        table,
        column: name,
        partition: row.partition,
        ctid: row.ctid,
        place: row.place,
        before: row.value,
        after,
        write: form.write,
      };
}

function flipByte(bytes: Buffer, chance: Chance, bits: number): Buffer {
  const at = chance.below(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << chance.below(bits));
  return bytes;
}

function saysSomethingElse(before: string, after: string): boolean {
  try {
    return JSON.stringify(JSON.parse(before)) !== JSON.stringify(JSON.parse(after));
  } catch {
    return false;
  }
}
