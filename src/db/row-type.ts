/**
 * Rows that a SQL function takes, as an array of a composite type or as JSON, described field by field: camelCase in TypeScript, snake_case in SQL. This is the only
 * place that maps one to the other; rows that are read are mapped by the driver (client.ts). The compiler refuses a description
 * that misses a field or gives it a type that does not fit; test/trading/row-types.test.ts compares the descriptions with the
 * database's own catalogue.
 */

type NumberType = 'smallint' | 'integer' | 'bigint' | 'numeric' | 'double precision';
type ListType = 'text[]' | 'bigint[]';
type ScalarType = 'text' | 'boolean' | 'timestamp with time zone' | 'json' | 'jsonb' | NumberType | ListType;

/** What a value of type T may be in SQL. 64-bit integers are sent as text, so that none passes through a float. */
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

export interface RowType<T> {
  /** The columns of SQL in order, each with its type; nested rows are `json`. */
  readonly columns: readonly { readonly name: string; readonly type: ScalarType }[];
  /** The row as a JSON object. Fields that are undefined are left out, which SQL reads as null. */
  toJson(value: T): string;
  /** The same without the braces, and with a comma before each member, so that others can go before them. */
  members(value: T): string;
  /** Rows as the text of an array of the composite type that has these columns, in this order. What is undefined is null. */
  toArray(values: readonly T[]): string;
}

type Write = (value: never) => string;

interface Column<T> {
  readonly field: keyof T & string;
  /** `,"name":` */
  readonly key: string;
  /** The value as JSON. */
  readonly write: Write;
  /** The value as a member of a composite. */
  readonly writePlain: Write;
}

/** The texts are written column by column, without building a row object first: an order has fifty columns. */
export function rowType<T extends object>(fields: FieldsOf<T>): RowType<T> {
  const described = Object.entries(fields) as [keyof T & string, ScalarType | NestedType][];
  const columns = described.map(
    ([field, type]): Column<T> => ({
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

/** Text that means itself as a member of a composite. */
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

/** Any character that JSON may write in another way. Asking costs half of `JSON.stringify`, and ids and codes have none. */
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
