/**
 * Assets of the test bridge. There is no chain behind them: an address never looks like one that can receive real
 * funds.
 */
import { randomBytes } from 'node:crypto';
import type { Assets } from '../wire/funding.ts';

export type Asset = Assets['assets'][number] & { readonly chainId: number };

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

export function findAsset(symbol: string, chainId: number | string): Asset | undefined {
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

export function newTestAddress(): string {
  return `sandbox:${randomBytes(20).toString('hex')}`;
}
