/** What an operator is told of a journal row, as the auditor compares it with books of its own: the amounts of every item. Pure. */
import { isJsonObject } from '../../core/json.ts';
import { formatMinor } from '../../money/usd.ts';
import type { JournalRow, ToldItem } from '../journal-row.ts';
import { entryOf } from './entry.ts';
import { eventOf } from './events.ts';
import { itemsOf } from './items.ts';

/** The names of amounts, and `kind`, which says the direction of a movement of collateral and whose fee it is. */
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
        addLines(amounts, money ?? {});
        addBalances(amounts, row);
      } else {
        addAmounts(amounts, detail ?? {});
      }
    }
    return { type, amounts };
  });
}

/** It is filled name by name: every row of the journal comes through here, and copies would cost most of it. */
type Amounts = Record<string, string>;

/** Of a block inside another, the name of an amount begins with that of the block. */
function addAmounts(amounts: Amounts, block: object, prefix = ''): void {
  for (const [name, value] of Object.entries(block)) {
    if (typeof value === 'string') {
      if (AMOUNTS.has(name)) {
        amounts[prefix + name] = value;
      }
    } else if (isJsonObject(value)) {
      addAmounts(amounts, value, `${prefix}${name}.`);
    }
  }
}

/** The lines of an entry as its item shows them. */
function addLines(amounts: Amounts, money: object): void {
  const { lines = [] } = money as { lines?: { accountId: string; debit: string; credit: string }[] };
  for (const { accountId, debit, credit } of lines) {
    amounts[`debit of ${accountId}`] = debit;
    amounts[`credit of ${accountId}`] = credit;
  }
}

/** The balance of each account after the row, as pages and exports of the ledger show it. */
function addBalances(amounts: Amounts, row: JournalRow): void {
  for (const { accountId, balanceAfterMinor } of entryOf(row)?.lines ?? []) {
    amounts[`balance of ${accountId}`] = formatMinor(-(balanceAfterMinor ?? 0n));
  }
}
