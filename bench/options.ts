/** The flags of the bench. It refuses unknown flags, so that a typing error does not cost a run of a quarter of an hour. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly json: boolean;
  readonly rounds: number | undefined;
  readonly scale: number;
  /** A file that holds the JSON after every row. */
  readonly save: string | undefined;
  /** A file of an earlier run that this one is compared with. */
  readonly compare: string | undefined;
  /** Whether docs/performance.md is written. */
  readonly document: boolean;
  /** Whether each row shows where its time goes. */
  readonly profile: boolean;
  /** Rows by name; none is all of them. */
  readonly wanted: readonly string[];
}

export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      scale: { type: 'string' },
      save: { type: 'string' },
      compare: { type: 'string' },
      profile: { type: 'boolean', default: false },
      document: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    fail(`there is no row ${unknown}; the rows are ${known.join(', ')}`);
  }
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    fail('--rounds is a whole number above 0');
  }
  const scale = Number(values.scale ?? 1);
  if (!(scale > 0 && scale <= 1)) {
    fail('--scale is above 0 and at most 1');
  }
  if (values.profile && values.document) {
    fail('--profile slows down what it measures: its figures are not for --document');
  }
  if (values.document && (positionals.length > 0 || scale < 1)) {
    fail('--document takes a run of all rows in their full sizes');
  }
  const { json, save, compare, document, profile } = values;
  return { json, rounds, scale, save, compare, document, profile, wanted: positionals };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
