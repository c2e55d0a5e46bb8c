/** The parts of the emulated exchange: their states, and what an account has on each of them. */
import { type Answer, ok } from '../http.ts';
import { decimal } from './render.ts';
import { type Account, type ExchangeState, PARTS } from './state.ts';

const NAMES = ['Default', 'Combinations', 'Crypto', 'Tennis and baseball'];

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

function on(account: Account, part: number): bigint {
  return account.cash.get(part) ?? 0n;
}
