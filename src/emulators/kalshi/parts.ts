/** The parts of the emulated exchange: their states, what an account has on each of them, and the writes that each takes. */

import { z } from 'zod';
import { type Answer, ok } from '../http.ts';
import { decimal, invalid } from './render.ts';
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

const COSTS = { POST: 10, PUT: 10, DELETE: 2 } as const;
const named = z.looseObject({ exchange_index: z.int().min(0) });

/**
 * Each part has the full budget. A write that names its part is paid by that part alone, one that names none by every part, and a
 * batch by part 0.
 * @returns whether the write may be taken; it is then counted
 */
export function payWrite(state: ExchangeState, { method, path, query, body }: Asked): boolean {
  const cost = method in COSTS && path.startsWith('/portfolio/') ? COSTS[method as keyof typeof COSTS] : 0;
  if (!state.tier.enforced || cost === 0) {
    return true;
  }
  const given = Number(query.get('exchange_index') ?? named.safeParse(body).data?.exchange_index ?? -1);
  const parts = path.endsWith('/batched') ? [0] : given >= 0 ? [given] : PARTS;
  const { writePerSecond: rate, writeBurst: most } = state.tier;
  const now = performance.now();
  const buckets = parts.map((part) => {
    const bucket = state.writes.get(part) ?? { left: most, at: now };
    bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * rate);
    bucket.at = now;
    state.writes.set(part, bucket);
    return bucket;
  });
  if (buckets.some(({ left }) => left < cost)) {
    return false;
  }
  for (const bucket of buckets) {
    bucket.left -= cost;
  }
  return true;
}
