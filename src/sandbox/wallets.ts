/**
 * Reads simulated wallets: balances and their entries. Only money statements write them, and only for sandbox
 * operators.
 */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import { readJournalBackwards } from '../ledger/read-journal.ts';
import { postedEntry } from '../ledger/render/feed-item.ts';
import { kindsWith } from '../ledger/render/items.ts';
import type { JournalRow } from '../wire/journal.ts';

/** In cents. */
export interface Wallet {
  readonly availableMinor: bigint;
  readonly heldMinor: bigint;
}

export interface WalletEntry {
  /** The feed sequence of the entry. */
  readonly position: bigint;
  readonly entryId: string;
  readonly movementType: string;
  readonly memo: string;
  readonly referenceType: string;
  readonly referenceId: string;
  readonly recordedAt: Date;
  /** Signed cents; 0 if money was only held or released. */
  readonly amountMinor: bigint;
  /** Available and held together, after the entry. */
  readonly totalAfterMinor: bigint;
}

/** @returns undefined for an unknown customer */
export async function findWallet(sql: Sql, operatorId: string, externalUserId: string): Promise<Wallet | undefined> {
  const [row] = await asOperator<Wallet[]>(
    sql,
    operatorId,
    sql`
    select coalesce(-wallet.available, 0) as "availableMinor", coalesce(-wallet.held, 0) as "heldMinor"
    from customers customer left join wallets wallet
      on wallet.operator_id = customer.operator_id and wallet.external_user_id = customer.external_user_id
    where customer.operator_id = ${operatorId} and customer.external_user_id = ${externalUserId}`,
  );
  return row;
}

/**
 * One page, newest first, and one additional row if there is a next page.
 * @param before only entries below this sequence, or null for the newest
 */
export async function listWalletEntries(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  before: bigint | null,
  limit: number,
): Promise<WalletEntry[]> {
  const filter = { kinds: kindsWith(['ledger.posted']), externalUserId };
  const entries: WalletEntry[] = [];
  let position = before ?? undefined;
  while (entries.length <= limit) {
    const rows = await readJournalBackwards(sql, operatorId, position, limit + 1, filter);
    entries.push(...rows.flatMap(walletEntries).filter((entry) => before === null || entry.position < before));
    position = rows.at(-1)?.sequence;
    if (rows.length <= limit) {
      break;
    }
  }
  return entries.slice(0, limit + 1);
}

/** The entry of a row that moves the wallet. */
function walletEntries(row: JournalRow): WalletEntry[] {
  const entry = postedEntry(row);
  if (entry === null || row.funds !== 'wallet' || !(row.available || row.held)) {
    return [];
  }
  const { sequence: position, recordedAt, entryId, movementType, memo, referenceType, referenceId } = entry;
  return [
    {
      position,
      entryId,
      movementType,
      memo,
      referenceType,
      referenceId,
      recordedAt,
      amountMinor: -((row.available ?? 0n) + (row.held ?? 0n)),
      totalAfterMinor: -((row.availableAfter ?? 0n) + (row.heldAfter ?? 0n)),
    },
  ];
}
