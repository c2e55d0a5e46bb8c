/**
 * Test deposits into simulated wallets: a deposit is opened for a customer and then polled, and the second poll credits the wallet. The
 * assets of the test bridge have no chain behind them: an address never looks like one that can receive real funds.
 */
import { randomBytes } from 'node:crypto';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import type { Assets, Deposit, DepositAddress } from '../wire/sandbox.ts';

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

type Asset = Assets['assets'][number] & { readonly chainId: number };

const CHAINS: readonly { readonly chainId: number; readonly chain: string }[] = [
  { chainId: 1, chain: 'Ethereum' },
  { chainId: 137, chain: 'Polygon' },
  { chainId: 8453, chain: 'Base' },
  { chainId: 42161, chain: 'Arbitrum' },
];
const COINS = [
  { symbol: 'USDC', name: 'USD Coin', decimals: 6 },
  { symbol: 'USDT', name: 'Tether USD', decimals: 6 },
  { symbol: 'DAI', name: 'Dai', decimals: 18 },
] as const;
/** Not issued on that chain. */
const ABSENT = new Set(['USDT 8453']);

const ASSETS: readonly Asset[] = CHAINS.flatMap((chain) =>
  COINS.filter((coin) => !ABSENT.has(`${coin.symbol} ${chain.chainId}`)).map((coin) => ({
    ...coin,
    ...chain,
    minAmount: '1.00',
  })),
);

function findAsset(symbol: string, chainId: number | string): Asset | undefined {
  return ASSETS.find((asset) => asset.symbol === symbol.toUpperCase() && String(asset.chainId) === String(chainId));
}

/** All filters must match; an unknown symbol or chain matches nothing. */
export function listAssets(query: {
  readonly symbol?: string | undefined;
  readonly symbols?: string | undefined;
  readonly chainId?: string | undefined;
}): Assets {
  const symbols = query.symbols?.split(',').map((symbol) => symbol.trim().toUpperCase());
  const assets = ASSETS.filter(
    ({ symbol, chainId }) =>
      (query.symbol === undefined || query.symbol.toUpperCase() === symbol) &&
      (symbols === undefined || symbols.includes(symbol)) &&
      (query.chainId === undefined || query.chainId === String(chainId)),
  );
  return { assets, count: assets.length };
}

function newTestAddress(): string {
  return `sandbox:${randomBytes(20).toString('hex')}`;
}
