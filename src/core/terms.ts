/** The closed vocabularies that every room uses. A venue's own words for side and action are in `venues/order.ts`. */

/** The side of a contract. */
export type Side = 'YES' | 'NO';

export function otherSide(side: Side): Side {
  return side === 'YES' ? 'NO' : 'YES';
}

/** What a customer does with contracts. */
export type Action = 'buy' | 'sell';

/** Whether an operator trades with simulated money or at real venues. */
export type Mode = 'sandbox' | 'live';

/** The result of a contract: one side wins, all stakes are returned, or each side is worth a part of a dollar. */
export type Resolution = 'YES' | 'NO' | 'VOID' | 'SPLIT';
