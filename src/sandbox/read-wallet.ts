/**
 * The sandbox balance reads of a customer (contract 32.3, contract 32.4). They do not create the customer.
 */
import { decodeSequence, encodeSequence } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import type { Balance, WalletPage } from '../wire/sandbox.ts';
import { findWallet, listWalletEntries, type Wallet } from './wallets.ts';

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
