/** How an export is asked for (an addition of ours beside the contract). */
import { z } from 'zod';
import { REVENUE_BY } from '../../core/terms.ts';
import { isTimeZone } from '../../core/time.ts';

const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((text) => text === 'true' || text === '1');

export const exportQuery = z.object({
  kind: z
    .enum(['feed', 'orders', 'settlements', 'positions', 'ledger', 'fees', 'revenue', 'statement'])
    .describe('What is exported.'),
  by: z
    .enum(REVENUE_BY)
    .optional()
    .describe('What the rows of a revenue statement are: one of them, or two in this order; by default `day`.'),
  format: z.enum(['csv', 'jsonl', 'json']).default('csv').describe('As what.'),
  from: z.string().optional().describe('ISO-8601, inclusive, by the time recorded; a date alone is its midnight UTC.'),
  to: z
    .string()
    .optional()
    .describe('ISO-8601, exclusive; never later than the start of the export. A date alone is its midnight UTC.'),
  skip: z
    .string()
    .regex(/^\d{1,12}$/, 'a whole number')
    .optional()
    .transform((text = '0') => Number(text))
    .meta({
      type: 'integer',
      default: 0,
      minimum: 0,
      description: 'Rows that you have already; append-only kinds in csv or jsonl alone.',
    }),
  delimiter: z
    .string()
    .regex(/^[\t -!#-,/:-@\x5b-\x60{-~]$/, 'one character that is no quote, dot, letter or digit')
    .optional()
    .describe('Between the cells of CSV; `,`, or `;` where decimals have a comma.'),
  bom: flag.describe('Begins CSV with a byte order mark.'),
  decimalComma: flag.describe('Writes decimals of CSV with a comma.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'an IANA time zone, such as Europe/Zagreb')
    .optional()
    .describe(
      'Writes times of CSV as 2026-11-01 13:00:00 on the clock of this IANA time zone, instead of ISO-8601 in UTC. The days of a revenue statement are those of this place in every format.',
    ),
});

/** The header `x-export`. */
export interface ExportHeader {
  readonly kind: string;
  readonly format: string;
  readonly from: string | null;
  readonly to: string;
  readonly appendOnly: boolean;
  readonly rows: number;
  /** The range as sequences of the feed: after the one, through the other. 0 is before the first item. */
  readonly sequences: { readonly after: number; readonly through: number };
  readonly totals: Readonly<Record<string, string>>;
}

/** A column of an export: its dotted name, and how its values read. `cents` have two places, `micros` six. */
export interface ExportColumnName {
  readonly name: string;
  readonly type: 'text' | 'cents' | 'micros' | 'integer' | 'boolean' | 'time' | 'date' | 'json';
}

/** The header `x-export-columns`: `name:type`, separated by commas. */
export function formatColumns(columns: readonly ExportColumnName[]): string {
  return columns.map(({ name, type }) => `${name}:${type}`).join(',');
}

export function readColumns(header: string): ExportColumnName[] {
  return header
    .split(',')
    .filter((text) => text !== '')
    .map((text) => {
      const [name = '', type = 'text'] = text.split(':');
      return { name, type: type as ExportColumnName['type'] };
    });
}
