/**
 * Values on their way into SQL: rows that a function takes, as an array of a composite type or as JSON, described column by
 * column, and arrays of PostgreSQL's own types. It is the only place that maps camelCase to snake_case; the driver maps rows
 * that are read (client.ts). The type of a row follows from its columns (`rowOf`). If the type belongs to another room, the
 * compiler refuses a description that misses a field or gives it a type that does not fit (`rowType`).
 * test/trading/row-types.test.ts compares both with the database's catalogue.
 */

type NumberType = 'smallint' | 'integer' | 'bigint' | 'numeric' | 'double precision';
type ListType = 'text[]' | 'bigint[]';
type ScalarType = 'text' | 'boolean' | 'timestamp with time zone' | 'json' | 'jsonb' | NumberType | ListType;

/** The SQL types that a value of type T may have. 64-bit integers are sent as text, so that none passes through a float. */
type SqlTypeOf<T> = T extends bigint
  ? 'bigint' | 'numeric'
  : T extends boolean
    ? 'boolean'
    : T extends number
      ? NumberType
      : T extends string
        ? 'text' | 'numeric'
        : T extends Date
          ? 'timestamp with time zone'
          : T extends readonly string[]
            ? 'text[]' | 'json' | 'jsonb'
            : T extends readonly number[]
              ? 'bigint[]' | 'json' | 'jsonb'
              : T extends readonly (infer Item extends object)[]
                ? 'json' | 'jsonb' | { readonly listOf: RowType<Item> }
                : T extends object
                  ? 'json' | 'jsonb' | { readonly record: RowType<T> }
                  : never;

/** Every field of T with its type in SQL, in the order in which it is sent. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: SqlTypeOf<NonNullable<T[K]>> };

interface NestedType {
  readonly record?: RowType<never>;
  readonly listOf?: RowType<never>;
}

declare const VALUE: unique symbol;

/** A column: its SQL type, and for the compiler the type of its value. */
export type Column<T> = (ScalarType | NestedType) & { readonly [VALUE]: T };
type Columns = Readonly<Record<string, Column<unknown>>>;

const column =
  (type: ScalarType) =>
  <T>(): Column<T> =>
    type as Column<T>;

export const text: <T extends string = string>() => Column<T> = column('text');
export const boolean: () => Column<boolean> = column('boolean');
export const smallint: () => Column<number> = column('smallint');
export const integer: () => Column<number> = column('integer');
export const double: () => Column<number> = column('double precision');
export const bigint: () => Column<bigint> = column('bigint');
/** An integer that may be larger than 64 bits, or decimal text. */
export const numeric: <T extends bigint | string = bigint>() => Column<T> = column('numeric');
export const timestamp: () => Column<Date> = column('timestamp with time zone');
export const json: <T extends object>() => Column<T> = column('json');
export const jsonb: <T extends object>() => Column<T> = column('jsonb');
/** A nested row. */
export const record = <T>(row: RowType<T>): Column<T> => ({ record: row }) as unknown as Column<T>;
export const nullable = <T>(of: Column<T>): Column<T | null> => of as Column<T | null>;
/** Null if it is left out. */
export const optional = <T>(of: Column<T>): Column<T | null | undefined> => of as Column<T | null | undefined>;

type ValueOf<C> = C extends Column<infer T> ? T : never;
type OptionalOf<F> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F];

/** The row that has these columns. */
export type RowOf<F> = { readonly [K in Exclude<keyof F, OptionalOf<F>>]: ValueOf<F[K]> } & {
  readonly [K in OptionalOf<F>]?: ValueOf<F[K]>;
};

export interface RowType<T> {
  /** The columns of SQL in order, each with its type; nested rows are `json`. */
  readonly columns: readonly { readonly name: string; readonly type: ScalarType }[];
  /** The row as a JSON object. Fields that are undefined are left out, which SQL reads as null. */
  toJson(value: T): string;
  /** The same without the braces, and with a comma before each member, so that others can go before them. */
  members(value: T): string;
  /** Rows as the text of an array of the composite type that has these columns, in this order. Undefined fields are null. */
  toArray(values: readonly T[]): string;
}

type Write = (value: never) => string;

/** How a field is written. */
interface FieldWriter<T> {
  readonly field: keyof T & string;
  /** `,"name":` */
  readonly key: string;
  /** The value as JSON. */
  readonly write: Write;
  /** The value as a member of a composite. */
  readonly writePlain: Write;
}

/** @param columns every column of the row, in the order in which it is sent */
export function rowOf<F extends Columns>(columns: F): RowType<RowOf<F>> {
  return rowType<RowOf<F>>(columns as unknown as FieldsOf<RowOf<F>>);
}

/** The texts are written column by column, without building a row object first: an order has fifty columns. */
export function rowType<T extends object>(fields: FieldsOf<T>): RowType<T> {
  const described = Object.entries(fields) as [keyof T & string, ScalarType | NestedType][];
  const columns = described.map(
    ([field, type]): FieldWriter<T> => ({
      field,
      key: `,"${snakeCase(field)}":`,
      write: writerOf(type),
      writePlain: plainWriterOf(type),
    }),
  );
  const members = (value: T): string => {
    let text = '';
    for (const { field, key, write } of columns) {
      const one = value[field];
      if (one === null) {
        text += `${key}null`;
      } else if (one !== undefined) {
        text += key + write(one as never);
      }
    }
    return text;
  };
  const composite = (value: T): string => {
    let text = '';
    for (const { field, writePlain } of columns) {
      const one = value[field];
      text += one === null || one === undefined ? ',' : `,${writePlain(one as never)}`;
    }
    // quotes and backslashes inside an element of an array are escaped once more
    return `"(${ESCAPED.test(text) ? escapeQuotes(text.slice(1)) : text.slice(1)})"`;
  };
  return {
    toArray: (values) => `{${values.map(composite).join(',')}}`,
    columns: described.map(([field, type]) => ({
      name: snakeCase(field),
      type: typeof type === 'string' ? type : 'json',
    })),
    members,
    toJson: (value) => `{${members(value).slice(1)}}`,
  };
}

function writerOf(type: ScalarType | NestedType): Write {
  if (typeof type === 'object') {
    const { record, listOf } = type;
    if (record !== undefined) {
      return record.toJson;
    }
    if (listOf !== undefined) {
      return (values: readonly never[]) => `[${values.map(listOf.toJson).join(',')}]`;
    }
  }
  switch (type) {
    case 'text':
      return writeText;
    case 'boolean':
      return String;
    case 'bigint':
    case 'numeric':
    case 'integer':
    case 'smallint':
      return writeInteger;
    default:
      return JSON.stringify;
  }
}

function plainWriterOf(type: ScalarType | NestedType): Write {
  switch (type) {
    case 'boolean':
    case 'bigint':
    case 'numeric':
    case 'integer':
    case 'smallint':
    case 'double precision':
      return String;
    case 'text':
      return writePlainText;
    case 'timestamp with time zone':
      return (value: Date) => quoted(value.toISOString());
    case 'text[]':
    case 'bigint[]':
      return (values: readonly unknown[]) => quoted(`{${values.map((value) => quoted(`${value}`)).join(',')}}`);
    default: {
      const write = writerOf(type);
      return (value) => quoted(write(value));
    }
  }
}

/** Text that needs no quotes as a member of a composite. */
const PLAIN = /^[\w.:+-]+$/;
const ESCAPED = /["\\]/;

function writePlainText(value: string): string {
  return PLAIN.test(value) ? value : quoted(value);
}

function quoted(text: string): string {
  return `"${escapeQuotes(text)}"`;
}

function escapeQuotes(text: string): string {
  return text.replaceAll(/["\\]/g, '\\$&');
}

/** Any character that JSON may escape. This test costs half of `JSON.stringify`, and ids and codes have none. */
const TO_ESCAPE = /[^ !#-[\]-~]/;

function writeText(value: string): string {
  return TO_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}

function writeInteger(value: bigint | number | string): string {
  return typeof value === 'number' ? `${value}` : `"${value}"`;
}

/** The name in SQL of a field in TypeScript. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]|(?<=[a-z])\d/g, (part) => `_${part.toLowerCase()}`);
}

/** The field in TypeScript of a name in SQL. */
export function camelCase(name: string): string {
  return name.replace(/_[a-z0-9]/g, (part) => part.slice(1).toUpperCase());
}

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;
const asDate: Parse = (text) => new Date(text);
const asJson: Parse = (text) => JSON.parse(text);

/**
 * The array types of PostgreSQL that the service uses, by their fixed numbers. They are declared here because the driver
 * would otherwise query them on every new connection without awaiting the result: if the backend is killed during that
 * query (postgres 3.4.9, `fetchArrayTypes` in connection.js), the unhandled rejection ends the process.
 */
const ARRAYS: readonly (readonly [element: number, array: number, parse: Parse])[] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, 1016, BigInt],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, asText],
  [114, 199, asJson],
  [700, 1021, Number],
  [701, 1022, Number],
  [1042, 1014, asText],
  [1043, 1015, asText],
  [1082, 1182, asDate],
  [1114, 1115, asDate],
  [1184, 1185, asDate],
  [1186, 1187, asText],
  [1700, 1231, asText],
  [2950, 2951, asText],
  [3802, 3807, asJson],
];

interface DriverType {
  to: number;
  from: number[];
  serialize: (value: unknown) => unknown;
  parse: (text: string) => unknown;
}

/** For the driver's `types` option. */
export function arrayTypes(): Record<string, DriverType> {
  return Object.fromEntries(
    ARRAYS.map(([, array, parse]) => [
      `array${array}`,
      { to: array, from: [array], serialize: serializeArray, parse: (text: string) => parseArray(text, parse) },
    ]),
  );
}

/** Element type to array type, which the driver's `sql.array` looks up. */
export function arrayTypesByElement(): Record<number, number> {
  return Object.fromEntries(ARRAYS.map(([element, array]) => [element, array]));
}

function serializeArray(value: unknown): unknown {
  return Array.isArray(value) ? `{${value.map(serializeElement).join(',')}}` : value;
}

function serializeElement(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (value === undefined) {
    throw new TypeError('undefined inside an array parameter');
  }
  return Array.isArray(value) ? String(serializeArray(value)) : `"${textOf(value).replace(/[\\"]/g, '\\$&')}"`;
}

function textOf(value: unknown): string {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value).toString('hex')}`;
  }
  if (typeof value === 'boolean') {
    return value ? 't' : 'f';
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** @param text an array as PostgreSQL writes it: `{a,"b c",NULL,{nested}}` */
function parseArray(text: string, parse: Parse): unknown[] {
  let at = text.indexOf('{') + 1;
  return level();

  function level(): unknown[] {
    const elements: unknown[] = [];
    while (at < text.length) {
      const next = text[at];
      if (next === '}') {
        at += 1;
        return elements;
      }
      if (next === ',') {
        at += 1;
      } else if (next === '{') {
        at += 1;
        elements.push(level());
      } else {
        elements.push(next === '"' ? parse(readQuoted()) : bare());
      }
    }
    return elements;
  }

  function bare(): unknown {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '}') {
      at += 1;
    }
    const element = text.slice(start, at);
    return element === 'NULL' ? null : parse(element);
  }

  function readQuoted(): string {
    let element = '';
    at += 1;
    while (text[at] !== '"') {
      if (text[at] === '\\') {
        at += 1;
      }
      const start = at;
      at += 1;
      while (text[at] !== '"' && text[at] !== '\\') {
        at += 1;
      }
      element += text.slice(start, at);
    }
    at += 1;
    return element;
  }
}
