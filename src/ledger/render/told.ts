/** What an operator is told of a journal row, as the auditor compares it with books of its own: the amounts of every item. Pure. */
import { isJsonObject } from '../../core/json.ts';
import { formatMinor } from '../../money/usd.ts';
import type { JournalRow, ToldItem } from '../../wire/journal.ts';
import { entryOf } from './entry.ts';
import { eventOf } from './events.ts';
import { itemsOf } from './items.ts';

/** The names of amounts, and `kind`, which says the direction of a movement of collateral and whose fee it is. */
const AMOUNTS: readonly string[] = [
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
];

/** The items of a row in their order. An announced event has the amounts of its payload. */
export function toldOf(row: JournalRow): ToldItem[] {
  return itemsOf(row).map(({ type, money, detail }) => {
    switch (type) {
      case 'webhook.emitted':
        return { type, amounts: amountsOf(eventOf(row)?.data ?? {}) };
      case 'ledger.posted':
        return { type, amounts: { ...amountsOf({ ...money }), ...linesOf(money), ...balancesOf(row) } };
      default:
        return { type, amounts: amountsOf({ ...money, ...detail }) };
    }
  });
}

/** Of a block inside another, the name of an amount begins with that of the block. */
function amountsOf(block: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(block).flatMap(([name, value]) => {
      if (isJsonObject(value)) {
        return Object.entries(amountsOf(value)).map(([inner, amount]) => [`${name}.${inner}`, amount]);
      }
      return typeof value === 'string' && AMOUNTS.includes(name) ? [[name, value]] : [];
    }),
  );
}

/** The lines of an entry as its item shows them. */
function linesOf(money: object | null): Record<string, string> {
  const { lines = [] } = (money ?? {}) as { lines?: { accountId: string; debit: string; credit: string }[] };
  return Object.fromEntries(
    lines.flatMap(({ accountId, debit, credit }) => [
      [`debit of ${accountId}`, debit],
      [`credit of ${accountId}`, credit],
    ]),
  );
}

/** The balance of each account after the row, as pages and exports of the ledger show it. */
function balancesOf(row: JournalRow): Record<string, string> {
  return Object.fromEntries(
    (entryOf(row)?.lines ?? []).map(({ accountId, balanceAfterMinor }) => [
      `balance of ${accountId}`,
      formatMinor(-(balanceAfterMinor ?? 0n)),
    ]),
  );
}
