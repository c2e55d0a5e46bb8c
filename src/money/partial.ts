/**
 * Part of an order: how much of it a scenario fills, and the cost of that part. A part never exceeds the authorization: trade, fee and
 * debit are bounded however amounts are rounded (contract 13.4, contract 13.5).
 */

import { min } from './book.ts';
import { CENT, ceilDivide, readDecimal } from './decimal.ts';

/** The authorised terms of a buy, in cents, micro-dollars and micro-contracts. */
export interface BuyTerms {
  readonly authorizationMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly tradeMinor: bigint;
  readonly priceMicros: bigint;
  readonly contractsMicros: bigint;
}

export interface BuyPart {
  readonly filledMicros: bigint;
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly actualDebitMinor: bigint;
  readonly releaseMinor: bigint;
}

/** Money of `filledMicros` out of the order's contracts; nothing filled costs nothing. */
export function fillBuyPart(terms: BuyTerms, filledMicros: bigint, venueFeeMinor = 0n): BuyPart {
  if (filledMicros < 0n || filledMicros > terms.contractsMicros) {
    throw new RangeError('fill outside the order');
  }
  const tradeMinor = min(terms.tradeMinor, ceilDivide(filledMicros * terms.priceMicros, CENT));
  return chargeBuy(terms, filledMicros, tradeMinor, filledMicros === 0n ? 0n : venueFeeMinor);
}

/** The fee, debit and release that go with a trade amount and a venue fee taken from inside the order's trade amount. */
export function chargeBuy(
  terms: Pick<BuyTerms, 'authorizationMinor' | 'platformFeeMinor' | 'tradeMinor'>,
  filledMicros: bigint,
  tradeMinor: bigint,
  venueFeeMinor: bigint,
): BuyPart {
  const taken = tradeMinor + venueFeeMinor;
  if (venueFeeMinor < 0n || taken > terms.tradeMinor) {
    throw new RangeError('more taken than the trade amount');
  }
  const platformFeeMinor = min(terms.platformFeeMinor, ceilDivide(terms.platformFeeMinor * taken, terms.tradeMinor));
  const actualDebitMinor = taken + platformFeeMinor;
  const releaseMinor = terms.authorizationMinor - actualDebitMinor;
  return { filledMicros, tradeMinor, platformFeeMinor, venueFeeMinor, actualDebitMinor, releaseMinor };
}

/** The fill that a sandbox scenario requests: a share strictly between 0 and 1, or cents of the authorization (a sell: of the notional). */
export type PartialRequest = { readonly fraction: string | number } | { readonly amountMinor: bigint };

/** Micro-contracts a scenario fills of an order whose authorization (a sell: notional) is `wholeMinor`, rounded down. */
export function partialQuantity(
  terms: { readonly contractsMicros: bigint; readonly wholeMinor: bigint },
  request: PartialRequest,
): bigint {
  if ('amountMinor' in request) {
    if (request.amountMinor < 0n) {
      throw new RangeError('a fill amount is at least zero');
    }
    if (request.amountMinor >= terms.wholeMinor) {
      return terms.contractsMicros;
    }
    return (terms.contractsMicros * request.amountMinor) / terms.wholeMinor;
  }
  const fraction = readDecimal(request.fraction);
  if (fraction === null || !isFillFraction(request.fraction)) {
    throw new RangeError('a fill fraction is between 0 and 1');
  }
  return (terms.contractsMicros * fraction.digits) / 10n ** BigInt(fraction.places);
}

/** True for a share strictly between 0 and 1. */
function isFillFraction(fraction: string | number): boolean {
  const decimal = readDecimal(fraction);
  return decimal !== null && decimal.digits > 0n && decimal.digits < 10n ** BigInt(decimal.places);
}
