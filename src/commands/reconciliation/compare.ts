/** `reconciliation compare`: the operator's own list against ours, row by row. Exit 5 where they differ. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Flags } from '@oclif/core';
import { parse } from 'csv-parse';
import { type Comparison, compareRows, type Difference, keyOf, type Row } from '../../cli/compare-rows.ts';
import { usage } from '../../cli/failure.ts';
import { columnsOf, listFlags } from '../../cli/output.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { EXIT } from '../../core/errors.ts';

const KEYS = {
  orders: [['orderId'], ['clientOrderId', 'externalUserId'], ['executionRef'], ['clientOrderId']],
  settlements: [['id'], ['positionId']],
  positions: [['positionId']],
  fees: [['id'], ['orderId', 'kind']],
  feed: [['id', 'type'], ['sequence']],
  ledger: [['entryId', 'lineNo']],
} as const;
const SHOWN = 50;

export default class Compare extends PartnerCommand<typeof Compare> {
  static override summary = 'Compare your own list with ours.';
  static override description =
    'Rows are matched by the first key that your file has (orders: orderId, clientOrderId and externalUserId, executionRef). Columns that both have are compared, decimals by value. Your file is read whole; ours streams.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --theirs our-orders.csv --map debit=operatorMoney.actualDebit --map ref=orderId',
    '<%= config.bin %> <%= command.id %> --kind settlements --theirs credits.csv --from 2026-11-01 --to 2026-12-01 --json',
  ];
  static override flags = {
    ...listFlags,
    theirs: Flags.string({ required: true, summary: 'Your CSV, with a header.' }),
    kind: Flags.option({
      options: Object.keys(KEYS) as (keyof typeof KEYS)[],
      default: 'orders' as const,
      summary: 'Which register it is a list of.',
    })(),
    map: Flags.string({ multiple: true, summary: 'YOURS=OURS: a column of yours and its name here; repeatable.' }),
    from: Flags.string({ summary: 'ISO-8601, inclusive, by the time recorded.' }),
    to: Flags.string({ summary: 'ISO-8601, exclusive.' }),
    delimiter: Flags.string({ default: ',', summary: 'Of your file.' }),
  };

  async run(): Promise<Comparison> {
    const { kind, from, to } = this.flags;
    const { rows, columns } = await this.#readTheirs();
    const response = await this.client.stream('/api/v1/reconciliation/export', {
      query: { kind, format: 'csv', from, to },
    });
    const ours = Readable.fromWeb(response.body as never).pipe(parse({ columns: true, bom: true }));
    const key = KEYS[kind].find((names) => names.every((name) => columns.has(name)));
    if (key === undefined) {
      throw usage(
        `Your file has none of the keys of ${kind}: ${KEYS[kind].map((names) => names.join(' and ')).join(', ')}.`,
        'Name the columns with --map YOURS=OURS.',
      );
    }
    const theirs = new Map(rows.map((row) => [keyOf(row, key), row]));
    const compared = [...columns].filter((name) => !(key as readonly string[]).includes(name));
    const comparison = await compareRows(theirs, ours as AsyncIterable<Row>, key, compared);
    await this.#print(comparison);
    if (comparison.differing > 0) {
      this.endWith(EXIT.expectationFailed);
    }
    return comparison;
  }

  /** Their rows under our names; columns that we do not know by name are left alone. */
  async #readTheirs(): Promise<{ rows: Row[]; columns: ReadonlySet<string> }> {
    const names = new Map<string, string>();
    for (const pair of this.flags.map ?? []) {
      const [yours, ours] = pair.split('=');
      if (yours === undefined || ours === undefined || ours === '') {
        throw usage(`--map ${pair} is not YOURS=OURS.`);
      }
      names.set(yours, ours);
    }
    const rows: Row[] = [];
    const file = createReadStream(this.flags.theirs);
    const parser = parse({ columns: true, bom: true, delimiter: this.flags.delimiter, skip_empty_lines: true });
    file.on('error', (error) => parser.destroy(error));
    try {
      for await (const row of file.pipe(parser) as AsyncIterable<Row>) {
        rows.push(
          Object.fromEntries(Object.entries(row).map(([name, cell]) => [names.get(name) ?? name, cell])) as Row,
        );
      }
    } catch (error) {
      throw usage(
        `${this.flags.theirs} cannot be read as CSV: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    return { rows, columns: new Set(Object.keys(rows[0] ?? {})) };
  }

  async #print({ ours, theirs, matched, differing, differences, columns }: Comparison): Promise<void> {
    if (this.flags.output !== 'csv') {
      this.printFacts({
        compared: columns.join(', ') || 'only the keys',
        ours,
        theirs,
        matched,
        differences: differing,
      });
    }
    const shown = this.flags.output === 'csv' ? differences : differences.slice(0, SHOWN);
    if (shown.length > 0 || this.flags.output === 'csv') {
      await this.printList<Difference>(shown, columnsOf('problem', 'key', 'column', 'ours', 'theirs'));
    }
  }
}
