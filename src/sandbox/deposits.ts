/** Store of test deposits: opened for a customer, then polled; the second poll credits the simulated wallet. */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import type { Deposit, DepositAddress } from '../wire/funding.ts';
import { findAsset, newTestAddress } from './asset.ts';

interface DepositRow {
  readonly depositId: string;
  readonly symbol: string;
  readonly chainId: bigint;
  readonly address: string;
  readonly polls: number;
  readonly receivedMinor: bigint | null;
  readonly creditedMinor: bigint | null;
  readonly createdAt: Date;
  readonly creditedAt: Date | null;
}

const LIFETIME_MS = 24 * 3_600_000;
/** The amount that the test bridge finds at every address: 1,000.00. */
const SENT_MINOR = 100_000n;
const STATUSES = ['awaiting', 'confirming', 'credited'] as const;

/** Creates the customer on first use. @throws unsupported_asset, user_suspended. */
export async function openDeposit(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  input: { readonly symbol: string; readonly chainId: number | string },
  now: Date,
): Promise<DepositAddress> {
  const asset = findAsset(input.symbol, input.chainId);
  if (asset === undefined) {
    throw refuse('unsupported_asset');
  }
  const { symbol, chainId } = asset;
  const depositId = newId('dep');
  const address = newTestAddress();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const [row] = await sql<{ opened: boolean }[]>`
    select open_deposit(${operatorId}, ${externalUserId}, ${depositId}, ${symbol}, ${chainId}, ${address}, ${expiresAt}) as opened`;
  if (row?.opened !== true) {
    throw refuse('user_suspended');
  }
  return { depositId, address, symbol, chainId, memo: null, expiresAt: expiresAt.toISOString() };
}

/**
 * @param sync whether the bridge is queried first
 * @throws deposit_not_found, also for a deposit of another operator
 */
export async function readDeposit(sql: Sql, operatorId: string, depositId: string, sync: boolean): Promise<Deposit> {
  const [row] = sync
    ? await sql<DepositRow[]>`select * from poll_deposit(${operatorId}, ${depositId}, ${SENT_MINOR})`
    : await sql<DepositRow[]>`
        select * from sandbox_deposits where operator_id = ${operatorId} and deposit_id = ${depositId}`;
  if (row === undefined) {
    throw refuse('deposit_not_found');
  }
  return {
    depositId: row.depositId,
    status: STATUSES[row.polls] ?? 'awaiting',
    symbol: row.symbol,
    chainId: Number(row.chainId),
    amount: row.receivedMinor === null ? null : formatMinor(row.receivedMinor),
    creditedAmount: row.creditedMinor === null ? null : formatMinor(row.creditedMinor),
    address: row.address,
    createdAt: row.createdAt.toISOString(),
    creditedAt: row.creditedAt?.toISOString() ?? null,
  };
}
