/**
 * The payment of a position when its contract resolves (contract 16.2). Refuses a split that is not strictly between 0 and 1; at most one
 * credit is above zero, and a loss has none. Pure.
 */
import type { Side } from '../core/terms.ts';
import { CENT, ONE_DOLLAR_MICROS } from './decimal.ts';

/** A result, with the worth of YES in a split. */
export type Resolved =
  | { readonly resolution: Side | 'VOID' }
  | { readonly resolution: 'SPLIT'; readonly splitYesMicros: bigint };

export interface Payout {
  readonly outcome: 'won' | 'lost' | 'void';
  readonly settlementCreditMinor: bigint;
  readonly voidCreditMinor: bigint;
  readonly realisedPnlMinor: bigint;
}

/** Credit and profit of one position; credits round down to the cent, an annulment gives the whole cost basis back. */
export function payout(
  held: { readonly side: Side; readonly quantityMicros: bigint; readonly costBasisMinor: bigint },
  resolved: Resolved,
): Payout {
  const { side, quantityMicros, costBasisMinor } = held;
  if (resolved.resolution === 'VOID') {
    return voided(costBasisMinor, costBasisMinor);
  }
  if (resolved.resolution === 'SPLIT') {
    const yesMicros = resolved.splitYesMicros;
    if (yesMicros <= 0n || yesMicros >= ONE_DOLLAR_MICROS) {
      throw new RangeError('a split is between 0 and 1');
    }
    const worthMicros = side === 'YES' ? yesMicros : ONE_DOLLAR_MICROS - yesMicros;
    return voided((quantityMicros * worthMicros) / CENT, costBasisMinor);
  }
  const won = resolved.resolution === side;
  const settlementCreditMinor = won ? (quantityMicros * ONE_DOLLAR_MICROS) / CENT : 0n;
  return {
    outcome: won ? 'won' : 'lost',
    settlementCreditMinor,
    voidCreditMinor: 0n,
    realisedPnlMinor: settlementCreditMinor - costBasisMinor,
  };
}

function voided(voidCreditMinor: bigint, costBasisMinor: bigint): Payout {
  const realisedPnlMinor = voidCreditMinor - costBasisMinor;
  return { outcome: 'void', settlementCreditMinor: 0n, voidCreditMinor, realisedPnlMinor };
}

/** A sandbox resolution, which is relative to the position's own side, as the contract's resolution. */
export function resolutionForSide(side: Side, wanted: 'WIN' | 'LOSS' | 'VOID'): { readonly resolution: Side | 'VOID' } {
  if (wanted === 'VOID') {
    return { resolution: 'VOID' };
  }
  const other: Side = side === 'YES' ? 'NO' : 'YES';
  return { resolution: wanted === 'WIN' ? side : other };
}
