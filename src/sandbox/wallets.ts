/**
 * Reads simulated wallets: the balance and the entries of a customer (contract 32.3, contract 32.4). A read does not create the customer.
 * Only money statements write wallets, and only those of sandbox operators.
 */
import { decodeSequence, encodeSequence } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { readJournalBackwards } from '../ledger/journal.ts';
import type { JournalRow } from '../ledger/journal-row.ts';
import { kindsWith, postedEntry } from '../ledger/render/items.ts';
import { formatMinor } from '../money/usd.ts';
import type { Balance, WalletPage } from '../wire/sandbox.ts';

/** @throws unknown_user; invalid_request for a currency other than USD */
export async function readBalance(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  currency = 'USD',
): Promise<Balance> {
  if (currency.toUpperCase() !== 'USD') {
    throw refuse('invalid_request', 'currency: everything is booked in USD', {
      detail: [{ path: 'currency', message: 'everything is booked in USD' }],
    });
  }
  const { availableMinor, heldMinor } = await getWallet(sql, operatorId, externalUserId);
  return {
    externalUserId,
    currency: 'USD',
    available: formatMinor(availableMinor),
    held: formatMinor(heldMinor),
    total: formatMinor(availableMinor + heldMinor),
  };
}

/**
 * Newest first. Amounts concern the wallet as a whole, so an entry that only holds or releases money has the amount
 * 0.00.
 * @throws unknown_user; invalid_cursor
 */
export async function pageWallet(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  request: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<WalletPage> {
  const purpose = `wallet:${operatorId}`;
  const before = request.cursor === undefined ? null : decodeSequence(purpose, request.cursor);
  await getWallet(sql, operatorId, externalUserId);
  const rows = await listWalletEntries(sql, operatorId, externalUserId, before, request.limit);
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rows.length > request.limit;
  return {
    entries: page.map((entry) => ({
      id: entry.entryId,
      movementType: entry.movementType,
      memo: entry.memo,
      amount: formatMinor(entry.amountMinor),
      balanceAfter: formatMinor(entry.totalAfterMinor),
      occurredAt: entry.recordedAt.toISOString(),
      referenceType: entry.referenceType,
      referenceId: entry.referenceId,
    })),
    count: page.length,
    nextCursor: hasMore && last !== undefined ? encodeSequence(purpose, last.position) : null,
    hasMore,
  };
}

async function getWallet(sql: Sql, operatorId: string, externalUserId: string): Promise<Wallet> {
  const wallet = await findWallet(sql, operatorId, externalUserId);
  if (wallet === undefined) {
    throw refuse('unknown_user');
  }
  return wallet;
}

/** Amounts in cents. */
interface Wallet {
  readonly availableMinor: bigint;
  readonly heldMinor: bigint;
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

interface WalletEntry {
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

/**
 * One page, newest first, and one additional row if there is a next page.
 * @param before only entries below this sequence, or null for the newest
 */
async function listWalletEntries(
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
