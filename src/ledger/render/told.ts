/** The amounts of every item that an operator is shown for a journal row, for the auditor, which compares them with its own books. Pure. */
import { isJsonObject } from '../../core/json.ts';
import { formatMinor } from '../../money/usd.ts';
import { type JournalRow, LINE_NAMES, lineText, nameWithin, type ToldItem } from '../journal-row.ts';
import { entryOf } from './entry.ts';
import { eventOf } from './events.ts';
import { itemsOf } from './items.ts';

/** The names of amounts, and `kind`, which holds the direction of a movement of collateral or the owner of a fee. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'kind',
  'amount',
  'balanceAfter',
  'committedAfter',
  'authorizationAmount',
  'actualDebit',
  'releaseAmount',
  'tradeAmount',
  'platformFee',
  'venueFee',
  'sellProceeds',
  'settlementCredit',
  'voidCredit',
  'payout',
  'costBasis',
  'entryFees',
  'entryFeeShare',
  'realisedPnl',
  'lifetimeRealisedPnl',
]);

/** The items of a row in their order. An announced event has the amounts of its payload. */
export function toldOf(row: JournalRow): ToldItem[] {
  return itemsOf(row).map(({ type, money, detail }) => {
    const amounts: Amounts = {};
    if (type === 'webhook.emitted') {
      addAmounts(amounts, eventOf(row)?.data ?? {});
    } else {
      addAmounts(amounts, money ?? {});
      if (type === 'ledger.posted') {
        addLines(amounts, row, money ?? {});
      } else {
        addAmounts(amounts, detail ?? {});
      }
    }
    return { type, amounts };
  });
}

/** It is filled name by name: every row of the journal comes through here, and copies would cost most of it. */
type Amounts = Record<string, string>;

function addAmounts(amounts: Amounts, block: object, within?: string): void {
  for (const [name, value] of Object.entries(block)) {
    if (typeof value === 'string') {
      if (AMOUNTS.has(name)) {
        amounts[within === undefined ? name : nameWithin(within, name)] = value;
      }
    } else if (isJsonObject(value)) {
      addAmounts(amounts, value, name);
    }
  }
}

/** Each line of an entry as its item shows it, with the balance of its account after the row, as pages and exports show it. */
function addLines(amounts: Amounts, row: JournalRow, money: object): void {
  const { lines = [] } = money as { lines?: { accountId: string; debit: string; credit: string }[] };
  const recorded = entryOf(row)?.lines ?? [];
  const told = lines.map(({ accountId, debit, credit }, index) =>
    lineText(accountId, debit, credit, formatMinor(-(recorded[index]?.balanceAfterMinor ?? 0n))),
  );
  for (const [index, line] of told.sort().entries()) {
    amounts[LINE_NAMES[index] ?? ''] = line;
  }
}
