/** Refusals of quotes with the fact that a reader needs to do better, and no stake suggested that would be refused again. Pure. */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { BoardContract } from '../../markets/contract.ts';
import { type BuyRefusal, leastTrade, smallestStake } from '../../money/buy.ts';
import { formatMinor } from '../../money/usd.ts';

export function toBuyRefusal(refusal: BuyRefusal): Refusal {
  switch (refusal.code) {
    case 'below_venue_minimum': {
      const [trade, minimum, stake] = [refusal.tradeMinor, refusal.minimumMinor, refusal.minStakeMinor].map(
        formatMinor,
      );
      const message = `${trade} would be traded after the fee, and the minimum is ${minimum}: stake at least ${stake}.`;
      return refuse(refusal.code, message);
    }
    case 'stake_exceeds_available_depth':
      return refuse(
        refusal.code,
        undefined,
        refusal.maxStakeMinor === null ? {} : { maxStake: Number(refusal.maxStakeMinor) / 100 },
      );
    default:
      return refuse(refusal.code);
  }
}

/** Why a contract takes no quote. */
export function describeStatus({ status, tradingClosed }: BoardContract): string {
  if (status === 'resolved' || status === 'voided') {
    return `The market is ${status}; what is held settles by its result.`;
  }
  return status === 'open' && tradingClosed ? 'The market has closed.' : 'The market is withdrawn or halted.';
}

/**
 * A refusal of a limit as it may be shown: without `maxStake` where that stake would be below what any venue of the contract takes.
 * @param feeBps basis points of the platform fee.
 */
export function withPassableStake(refusal: Refusal, contract: BoardContract | undefined, feeBps: number): Refusal {
  const { maxStake, ...rest } = refusal.extra;
  if (typeof maxStake !== 'number' || contract === undefined || contract.books.length === 0) {
    return refusal;
  }
  const stakeMinor = BigInt(Math.round(maxStake * 100));
  const passes = contract.books.some(
    ({ minimumMinor }) => stakeMinor >= smallestStake(leastTrade(minimumMinor), feeBps),
  );
  return passes ? refusal : refuse(refusal.code, refusal.message, rest);
}
