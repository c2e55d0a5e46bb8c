/**
 * Our account's positions and cash at the venue, computed from what was booked. Contracts of both sides of a listing
 * are netted and pay a dollar a pair; the rest is paid when the listing resolves. Pure.
 */

import type { Side } from '../../core/terms.ts';
import type { PaperContract } from '../catalogue/question.ts';
import { DOLLAR } from '../micros.ts';
import type { AccountLine } from './account.ts';
import type { PaperOrder } from './order.ts';

/** The opening balance in millionths of a dollar. */
export const OPENING_BALANCE = 1_000_000_000_000n;
const ONE = BigInt(DOLLAR);
const WORTH = { YES: 1_000_000, NO: 0, VOID: 500_000 };

export interface Held {
  readonly listingId: string;
  readonly side: Side;
  readonly quantity: number;
}

export interface AccountHoldings {
  /** Only of listings that are not settled. */
  readonly positions: Held[];
  readonly balance: bigint;
}

interface Gross {
  yes: bigint;
  no: bigint;
}

/**
 * @param fillsOf returns the booked fills of an order
 * @param worthOf returns what YES of a listing is worth, in millionths of a dollar; undefined while it is open
 */
export function holdingsOf(
  orders: Iterable<PaperOrder>,
  fillsOf: (ourId: string) => readonly AccountLine[],
  worthOf: (listingId: string) => number | undefined,
): AccountHoldings {
  const holdings = new Map<string, Gross>();
  let balance = OPENING_BALANCE;
  for (const order of orders) {
    const gross = holdings.get(order.listingId) ?? { yes: 0n, no: 0n };
    holdings.set(order.listingId, gross);
    const sign = order.action === 'BUY' ? 1n : -1n;
    for (const fill of fillsOf(order.ourId)) {
      const product = BigInt(fill.quantity) * BigInt(fill.price);
      // a cost is rounded up, proceeds are rounded down
      balance -= sign > 0n ? (product + ONE - 1n) / ONE : -(product / ONE);
      balance -= BigInt(fill.fee ?? 0);
      gross[order.side === 'YES' ? 'yes' : 'no'] += sign * BigInt(fill.quantity);
    }
  }
  const positions: Held[] = [];
  for (const [listingId, { yes, no }] of holdings) {
    const net = yes - no;
    const pairs = net > 0n ? no : yes;
    const worth = worthOf(listingId);
    balance += pairs;
    if (worth !== undefined) {
      balance += net >= 0n ? (net * BigInt(worth)) / ONE : (-net * (ONE - BigInt(worth))) / ONE;
    } else if (net !== 0n) {
      positions.push({
        listingId,
        side: net > 0n ? 'YES' : 'NO',
        quantity: Number(net > 0n ? net : -net),
      });
    }
  }
  return { positions, balance };
}

/**
 * @returns what YES of the contract is worth, in millionths of a dollar; null while it is open. A voided one is worth
 * half
 */
export function worthOf({ resolution }: PaperContract): number | null {
  if (resolution === null) {
    return null;
  }
  return resolution.outcome === 'SPLIT' ? (resolution.yesWorth ?? WORTH.VOID) : WORTH[resolution.outcome];
}
