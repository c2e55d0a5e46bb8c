/** The caller of a trading route as the trader that the use cases know. */
import { refuse } from '../core/errors.ts';
import { type Trader, traderOf } from '../trading/trader.ts';
import type { Caller } from './http/api.ts';

/** @throws missing_user if the route admitted a call without a customer. */
export function traderOfCaller({ operator, externalUserId, session }: Caller): Trader {
  if (externalUserId === null) {
    throw refuse('missing_user');
  }
  return traderOf(operator, externalUserId, session?.bookEventIds ?? null);
}
