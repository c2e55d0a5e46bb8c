/**
 * Rows that a SQL function takes as JSON, described field by field: camelCase in TypeScript, snake_case in SQL. This is the only
 * place that maps one to the other. The compiler refuses a description that misses a field or gives it a type that does not fit;
 * test/trading/row-types.test.ts compares the descriptions with the database's own catalogue.
 */

type ScalarType = 'text' | 'integer' | 'bigint' | 'numeric' | 'double precision' | 'boolean' | 'json' | 'jsonb';

/** What a value of type T may be in SQL. 64-bit integers are sent as text, so that none passes through a float. */
type SqlTypeOf<T> = T extends bigint
  ? 'bigint' | 'numeric'
  : T extends boolean
    ? 'boolean'
    : T extends number
      ? 'integer' | 'double precision'
      : T extends string
        ? 'text'
        : T extends readonly (infer Item extends object)[]
          ? 'json' | 'jsonb' | { readonly listOf: RowType<Item> }
          : T extends object
            ? 'json' | 'jsonb' | { readonly record: RowType<T> }
            : never;

/** Every field of T with its type in SQL, in the order in which it is sent. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: SqlTypeOf<NonNullable<T[K]>> };

export type SqlValue = string | number | boolean | null | object;
export type SqlRow = Readonly<Record<string, SqlValue | undefined>>;

interface NestedType {
  readonly record?: RowType<never>;
  readonly listOf?: RowType<never>;
}

export interface RowType<T> {
  /** The columns of SQL in order, each with its type; nested rows are `json`. */
  readonly columns: readonly { readonly name: string; readonly type: ScalarType }[];
  /** The row as JSON takes it. Fields that are undefined are left out, which SQL reads as null. */
  toRow(value: T): SqlRow;
}

export function rowType<T extends object>(fields: FieldsOf<T>): RowType<T> {
  const described = Object.entries(fields) as [keyof T & string, ScalarType | NestedType][];
  const columns = described.map(([field, type]) => ({ field, name: snakeCase(field), type }));
  return {
    columns: columns.map(({ name, type }) => ({ name, type: typeof type === 'string' ? type : 'json' })),
    toRow: (value) => Object.fromEntries(columns.map(({ field, name, type }) => [name, toSql(value[field], type)])),
  };
}

function toSql(value: unknown, type: ScalarType | NestedType): SqlValue | undefined {
  if (value === null || value === undefined) {
    return value;
  }
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (typeof type === 'object' && type.record !== undefined) {
    return type.record.toRow(value as never);
  }
  if (typeof type === 'object' && type.listOf !== undefined) {
    return (value as never[]).map(type.listOf.toRow);
  }
  return value as SqlValue;
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
