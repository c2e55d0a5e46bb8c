/**
 * An export as Apache Parquet: amounts as exact decimals, times as timestamps in UTC. Rows leave in row groups, so memory
 * stays constant.
 */
import type { SchemaElement } from 'hyparquet-writer';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { MICRO_SCALE, MINOR_SCALE, parseDecimal } from '../../money/decimal.ts';
import type { ExportColumnName } from '../../wire/reconciliation/export.ts';
import { fieldOf, type JsonRow, type RowWriter } from './row-writer.ts';

/** About 10 MB of rows in memory. */
const ROWS_IN_GROUP = 20_000;
/** 64 bits hold 18 digits. */
const PRECISION = 18;

const TIMESTAMP = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

interface Column {
  readonly name: string;
  readonly element: SchemaElement;
  read(value: unknown): unknown;
}

export function createParquet(columnNames: readonly ExportColumnName[]): RowWriter {
  const columns = columnNames.map(columnOf);
  const out = new ByteWriter();
  const writer = new ParquetWriter({
    writer: out,
    schema: [{ name: 'row', num_children: columns.length }, ...columns.map(({ element }) => element)],
    createdBy: 'inlay',
  });
  let rows: JsonRow[] = [];

  const takeBytes = (): Uint8Array => {
    const bytes = out.getBytes().slice();
    out.index = 0;
    return bytes;
  };
  const writeGroup = (): void => {
    const columnData = columns.map(({ name, read }) => ({ name, data: rows.map((row) => read(fieldOf(row, name))) }));
    writer.write({ columnData, rowGroupSize: ROWS_IN_GROUP });
    rows = [];
  };

  return {
    add(row) {
      rows.push(row);
      if (rows.length < ROWS_IN_GROUP) {
        return undefined;
      }
      writeGroup();
      return takeBytes();
    },
    end() {
      if (rows.length > 0) {
        writeGroup();
      }
      writer.finish();
      return takeBytes();
    },
  };
}

function columnOf({ name, type }: ExportColumnName): Column {
  const [element, read] = elementOf(type);
  return {
    name,
    element: { name, repetition_type: 'OPTIONAL', ...element },
    read: (value) => (value === null ? null : read(value)),
  };
}

function elementOf(type: ExportColumnName['type']): [Omit<SchemaElement, 'name'>, (value: unknown) => unknown] {
  switch (type) {
    case 'cents':
      return decimalOf(MINOR_SCALE);
    case 'micros':
      return decimalOf(MICRO_SCALE);
    case 'integer':
      return [{ type: 'INT64' }, (value) => BigInt(value as number | string)];
    case 'boolean':
      return [{ type: 'BOOLEAN' }, (value) => value === true || value === 'true'];
    case 'time':
      return [TIMESTAMP, (value) => new Date(String(value))];
    default:
      return [
        { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
        (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
      ];
  }
}

function decimalOf(scale: number): [Omit<SchemaElement, 'name'>, (value: unknown) => unknown] {
  return [
    { type: 'INT64', converted_type: 'DECIMAL', scale, precision: PRECISION },
    (value) => parseDecimal(value as string | number, scale, 'exact'),
  ];
}
