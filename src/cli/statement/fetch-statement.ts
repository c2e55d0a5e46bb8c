/** The statement of any range, read over the API: balances, movements, revenue, and the checkpoint that covers the range. */
import { ApiError, type Destination, type InlayClient, UnexpectedAnswer } from '../../client/create-client.ts';
import type { RevenueBy } from '../../core/terms.ts';
import type { ExportHeader } from '../../wire/reconciliation.ts';
import { askExport } from '../export/ask-export.ts';
import { type JsonRow, readRows } from '../export/rows.ts';
import {
  type PrintableStatement,
  rangeNumber,
  type StatementMovement,
  type StatementSide,
} from './printable-statement.ts';
import { fetchRevenue } from './revenue.ts';

interface StatementRange {
  readonly by: RevenueBy;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/** The end that the first answer gives is the end of every other part, so that all are of the same range. @throws ApiError, UnexpectedAnswer */
export async function fetchStatement(
  client: InlayClient,
  { by, from, to, timeZone }: StatementRange,
  signal: AbortSignal,
): Promise<PrintableStatement> {
  const { name, slug, mode } = await client.get('/api/v1/whoami');
  const order = { kind: 'statement', format: 'jsonl', from, to, bom: false, decimalComma: false } as const;
  const { response, header } = await askExport(client, order, 0, signal);
  const rows: JsonRow[] = [];
  for await (const page of readRows(response.body as AsyncIterable<Uint8Array>)) {
    rows.push(...page.rows);
  }
  const sides = (['hosted', 'operator_collateral'] as const).map((side) => sideOf(client, side, rows));
  const revenue = await fetchRevenue(client, { by, from, to: header.to, timeZone }, signal);
  return {
    number: rangeNumber(slug, header.from, header.to, timeZone),
    operator: { name, slug, mode },
    from: header.from,
    to: header.to,
    timeZone,
    printedAt: new Date().toISOString(),
    report: await client.get('/api/v1/reconciliation'),
    sides: sides.filter(({ opening, movements }) => opening !== '0.00' || movements.length > 0),
    revenue: { ...revenue, by },
    checkpoint: await readCheckpoint(client, header.sequences),
  };
}

function sideOf(service: Destination, side: StatementSide['side'], rows: readonly JsonRow[]): StatementSide {
  const own = rows.filter((row) => row['side'] === side).map((row) => asMovement(service, row));
  const balance = (name: string) => own.find(({ movementType }) => movementType === name)?.amount ?? '0.00';
  const movements = own.filter(({ movementType }) => movementType !== 'opening' && movementType !== 'ending');
  return { side, opening: balance('opening'), movements, closing: balance('ending') };
}

function asMovement(service: Destination, { movementType, entries, amount }: JsonRow): StatementMovement {
  if (typeof movementType !== 'string' || typeof amount !== 'string') {
    throw new UnexpectedAnswer(service.baseUrl, 200, 'rows without amounts');
  }
  return { movementType, entries: Number(entries ?? 0), amount };
}

/** @returns null until the first checkpoint is signed, some seconds after the first item */
async function readCheckpoint(
  client: InlayClient,
  range: ExportHeader['sequences'],
): Promise<PrintableStatement['checkpoint']> {
  try {
    const { checkpoint, size, signedAt } = await client.get('/api/v1/reconciliation/checkpoint');
    return { text: checkpoint, meaning: `${coverage(range, size)} It was signed ${signedAt}. ${USE}` };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_checkpoint') {
      return null;
    }
    throw error;
  }
}

const USE = 'Keep it: "inlay feed verify" compares exported items with it.';

/** @returns sentences: the items of the feed in the range, and whether a checkpoint of `size` items commits the service to all of them */
function coverage({ after, through }: ExportHeader['sequences'], size: number): string {
  const items = after === through ? 'no item of the feed' : `the items ${after + 1} to ${through} of the feed`;
  return size >= through
    ? `This range has ${items}. The signed checkpoint below covers them: it commits the service to the items 1 to ${size}.`
    : `This range has ${items}. The newest signed checkpoint commits the service to the items 1 to ${size} only: print the statement again in some seconds for one that covers the range.`;
}
