/** `reconciliation compare`: compares the operator's own list with ours, row by row. Exit 5 if they differ. */

import { Readable } from 'node:stream';
import { Flags } from '@oclif/core';
import { parse } from 'csv-parse';
import {
  type Comparison,
  compareRecords,
  type Difference,
  isAdded,
  type Row,
  type Total,
} from '../../cli/compare/compare-records.ts';
import { checkAmounts, readTheirRows, type Theirs, withFullNames } from '../../cli/compare/their-rows.ts';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { type Column, columnsOf, listFlags, numeric } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import { nameBody, UnexpectedAnswer } from '../../client/create-client.ts';
import { EXIT } from '../../core/errors.ts';
import { withThousands } from '../../core/plain-words.ts';

const KEYS = {
  orders: [['orderId'], ['clientOrderId', 'externalUserId'], ['executionRef'], ['clientOrderId']],
  settlements: [['id'], ['positionId']],
  positions: [['positionId']],
  fees: [['id'], ['orderId', 'kind']],
  feed: [['id', 'type'], ['sequence']],
  ledger: [['entryId', 'lineNo']],
} as const;
const AMOUNTS = ['ours', 'theirs', 'difference', 'missing', 'extra', 'different'] as const;
const SHOWN = 50;
const SHOWN_NAMES = 4;

export default class Compare extends PartnerCommand<typeof Compare> {
  static override summary = 'Compare your own list with ours.';
  static override description = [
    'A file has the rows of one --kind. Rows are matched by the first key that your file has: for orders orderId, clientOrderId and externalUserId, or executionRef; for settlements id or positionId. Columns that both have are compared: amounts to the cent, other decimals by value. A column is found by its full name, or by its last part if that is unique (actualDebit). If there is no amount to compare, the command ends with exit code 2. Your file is read into memory; ours is streamed.',
    'Amounts are added up: the difference of the totals equals your missing rows, plus your extra rows, plus the rows that differ. The command ends with exit code 5 if there is any difference. Amounts may be written as 1234.5, 1,234.50, 1.234,50 or (12.30).',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> --mine our-orders.csv --map debit=operatorMoney.actualDebit --map ref=orderId',
    '<%= config.bin %> <%= command.id %> --kind settlements --mine credits.csv --from 2026-11-01 --to 2026-12-01 --json',
  ];
  static override flags = {
    ...listFlags,
    mine: Flags.string({
      helpValue: 'FILE',
      required: true,
      aliases: ['theirs'],
      summary: 'Your CSV file, with a header; --theirs is the same.',
    }),
    kind: Flags.option({
      options: Object.keys(KEYS) as (keyof typeof KEYS)[],
      helpValue: 'KIND',
      default: 'orders' as const,
      summary: 'Register of ours to compare with.',
    })(),
    map: Flags.string({
      helpValue: 'YOURS=OURS',
      multiple: true,
      summary: 'Name of a column in your file, and its name here; repeatable.',
    }),
    from: momentFlag({ summary: 'Start of the range, inclusive, by the time recorded; ISO-8601.' }),
    to: momentFlag({ summary: 'End of the range, exclusive; ISO-8601; by default now.' }),
    delimiter: Flags.string({
      helpValue: 'CHARACTER',
      summary: 'Delimiter of your file; by default detected from its header.',
    }),
  };

  async run(): Promise<Comparison> {
    const { kind, from, to, map = [], delimiter } = this.flags;
    const read = await readTheirRows(this.flags.mine, map, delimiter);
    const key = KEYS[kind].find((names) => names.every((name) => read.columns.has(name)));
    if (key === undefined) {
      throw usage(
        `Your file has none of the keys of ${kind}: ${KEYS[kind].map((names) => names.join(' and ')).join(', ')}.`,
        'Name the columns with --map YOURS=OURS.',
      );
    }
    const { rows, header } = await this.#openOurs({ kind, from, to });
    const theirs = withFullNames(read, header);
    const compared = this.#shared(theirs, header, key);
    refuseWithoutAmounts(theirs, header, compared, key);
    checkAmounts(theirs, compared);
    const records = theirs.rows.map(({ cells }) => cells);
    const comparison = await compareRecords(records, rows, key, compared);
    await this.#print(comparison);
    if (comparison.differing > 0) {
      this.endWith(EXIT.expectationFailed);
    }
    return comparison;
  }

  /** Our rows as a stream, and the names of their columns. */
  async #openOurs(window: {
    kind: keyof typeof KEYS;
    from: string | undefined;
    to: string | undefined;
  }): Promise<{ rows: AsyncIterable<Row>; header: readonly string[] }> {
    const response = await this.read(() =>
      this.client.stream('/api/v1/reconciliation/export', { query: { ...window, format: 'csv' } }),
    );
    if (!response.headers.has('x-export')) {
      throw new UnexpectedAnswer(response.url, response.status, nameBody(response.headers.get('content-type')));
    }
    const header = Promise.withResolvers<readonly string[]>();
    const columns = (names: string[]) => {
      header.resolve(names);
      return names;
    };
    const source = Readable.fromWeb(response.body as never);
    const parser = source.pipe(parse({ columns, bom: true }));
    source.once('error', (error) => parser.destroy(error));
    parser.once('error', header.reject);
    parser.once('finish', () => header.resolve([]));
    return { rows: parser as AsyncIterable<Row>, header: await header.promise };
  }

  /** @throws usage if a column was mapped to a name that we do not have: it would be ignored silently. */
  #shared(theirs: Theirs, header: readonly string[], key: readonly string[]): string[] {
    const strange = [...theirs.columns].find((name) => theirs.nameOf(name) !== name && !header.includes(name));
    if (strange !== undefined) {
      throw usage(
        `--map ${theirs.nameOf(strange)}=${strange}: there is no column ${strange} here.`,
        `The columns are ${header.join(', ')}.`,
      );
    }
    return header.filter((name) => theirs.columns.has(name) && !key.includes(name));
  }

  async #print({ ours, theirs, matched, missing, extra, different, ...rest }: Comparison): Promise<void> {
    const { columns, totals, differing, differences } = rest;
    if (this.flags.output !== 'csv') {
      this.printFacts({
        compared: wordColumns(columns),
        Inlay: `${withThousands(ours)} rows`,
        yours: `${withThousands(theirs)} rows`,
        matched: withThousands(matched),
        missing: `${withThousands(missing)} of our rows are missing in yours`,
        extra: `${withThousands(extra)} of your rows are missing in ours, or are there twice`,
        different: withThousands(different),
      });
      const shownTotals = totals.filter((total) => !isNothing(total));
      if (shownTotals.length > 0) {
        this.say();
        await this.printList<Total>(
          shownTotals,
          retitled([
            { name: 'column', mayStandBelow: true, value: ({ column }) => column },
            ...numeric(AMOUNTS, columnsOf<Total>(...AMOUNTS)),
          ]),
        );
      }
    }
    const isCsv = this.flags.output === 'csv';
    const shown = isCsv ? differences : differences.slice(0, SHOWN);
    if (shown.length > 0 && !isCsv) {
      this.say();
    }
    if (shown.length > 0 || isCsv) {
      await this.printList<Difference>(shown, retitled(DIFFERENCES));
    }
    if (differing > shown.length) {
      this.note(`${withThousands(differing - shown.length)} more; --output csv or --json lists them.`);
    }
  }
}

const PROBLEMS: Readonly<Record<Difference['problem'], string>> = {
  differs: 'differs',
  missing_in_theirs: 'missing in yours',
  missing_in_ours: 'missing in Inlay',
  duplicate_in_theirs: 'twice in yours',
};

const DIFFERENCES: readonly Column<Difference>[] = [
  { name: 'problem', value: ({ problem }) => PROBLEMS[problem], raw: ({ problem }) => problem },
  // people search for the whole key in the other file
  { name: 'key', whole: true, mayStandBelow: true, value: ({ key }) => key },
  ...numeric(['ours', 'theirs'], columnsOf<Difference>('column', 'ours', 'theirs')),
];

/** @throws usage, exit 2, because keys that agree prove nothing about money */
function refuseWithoutAmounts(
  theirs: Theirs,
  header: readonly string[],
  compared: readonly string[],
  key: readonly string[],
): void {
  if (compared.some(isAdded)) {
    return;
  }
  const ignored = [...theirs.columns]
    .filter((name) => !header.includes(name) && !key.includes(name))
    .map(theirs.nameOf);
  throw usage(
    `There is no amount to compare: none of the columns ${ignored.join(', ') || 'of your file'} is one of ours.`,
    `Name them with --map YOURS=OURS. Our amounts are ${header.filter(isAdded).join(', ')}.`,
  );
}

/** The JSON has "ours" and "theirs" as seen from the service; people read "Inlay" and "yours". */
function retitled<R>(columns: readonly Column<R>[]): Column<R>[] {
  const titles: Readonly<Record<string, string>> = { ours: 'Inlay', theirs: 'yours' };
  return columns.map((column) => ({ ...column, title: titles[column.name] ?? column.name }));
}

function wordColumns(columns: readonly string[]): string {
  const few = columns.length <= SHOWN_NAMES;
  return few ? columns.join(', ') : `${columns.length} columns; --json names them`;
}

/** Totals without any money on either side are not shown. */
function isNothing({ ours, theirs, missing, extra, different }: Total): boolean {
  return [ours, theirs, missing, extra, different].every((amount) => Number(amount) === 0);
}
