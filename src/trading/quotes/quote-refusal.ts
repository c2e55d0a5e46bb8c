/** Refusals of a quote by the market, each with the fact that helps to ask again. Pure. */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { BoardContract } from '../../markets/event.ts';
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

/** The refusal of a contract that does not trade: withdrawn or halted for now, or over (contract 9.14). */
export function refuseStopped({ status }: Pick<BoardContract, 'status'>): Refusal {
  if (status === 'paused') {
    return refuse('market_paused');
  }
  return status === 'resolved' || status === 'voided'
    ? refuse('market_not_open', `The market is ${status}; what is held settles by its result.`)
    : refuse('market_not_open', 'The market has closed.');
}
