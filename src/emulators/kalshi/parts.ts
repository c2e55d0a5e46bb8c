/** The parts of the emulated exchange: their states, and what an account has on each of them. */
import { type Answer, ok } from '../http.ts';
import { invalid } from './refusals.ts';
import { decimal } from './render.ts';
import { type Asked, allocationRequest } from './requests.ts';
import { type Account, type ExchangeState, PARTS } from './state.ts';

const NAMES = ['Default', 'Combinations', 'Crypto and commodities', 'Tennis, baseball and basketball'];

export function partStatuses({ tradingActive, pausedParts }: ExchangeState): object[] {
  return PARTS.map((part) => ({
    exchange_index: part,
    description: NAMES[part],
    exchange_active: true,
    trading_active: tradingActive && !pausedParts.has(part),
    intra_exchange_transfers_active: true,
  }));
}

/** @param asked the part that is asked for; null for all together */
export function balanceOf(account: Account, asked: string | null, now: Date): Answer {
  const cash =
    asked === null ? [...account.cash.values()].reduce((sum, one) => sum + one, 0n) : on(account, Number(asked));
  return ok({
    balance: Number(cash / 10_000n),
    balance_dollars: decimal(cash, 4),
    portfolio_value: 0,
    updated_ts: Math.floor(now.getTime() / 1_000),
    balance_breakdown: PARTS.map((part) => ({ balance: decimal(on(account, part), 4), exchange_index: part })),
  });
}

/** Percents of the parts. They apply at once, and whenever `rebalance` is called. */
export function targetAllocation(account: Account, { method, body }: Asked): Answer {
  if (method === 'GET') {
    const allocations = [...account.allocation].map(([part, percent]) => ({ exchange_index: part, percent }));
    return ok({ allocations });
  }
  const given = allocationRequest.safeParse(body);
  if (method !== 'POST' || !given.success) {
    return invalid('allocations');
  }
  const percents = given.data.allocations.map(({ exchange_index: part, percent }) => [part, percent] as const);
  account.allocation = new Map(percents);
  rebalance(account);
  return ok({});
}

/** As the exchange does every ten seconds: moves cash to where it was told to be. */
export function rebalance(account: Account): void {
  const parts = [...account.allocation.keys()];
  const [first] = parts;
  if (first === undefined) {
    return;
  }
  const all = [...account.cash.values()].reduce((sum, one) => sum + one, 0n);
  account.cash.clear();
  let left = all;
  for (const part of parts) {
    const share = (all * BigInt(account.allocation.get(part) ?? 0)) / 100n;
    account.cash.set(part, share);
    left -= share;
  }
  account.cash.set(first, on(account, first) + left);
}

function on(account: Account, part: number): bigint {
  return account.cash.get(part) ?? 0n;
}
