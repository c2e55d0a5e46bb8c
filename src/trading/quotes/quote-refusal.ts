/** Refusals of a quote by the market, each with the fact that helps to ask again. Pure. */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { BoardContract } from '../../markets/contract.ts';
import type { BuyRefusal } from '../../money/buy.ts';
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
