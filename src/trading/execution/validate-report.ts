/** Validates what a venue reported of an order: fills that fit the attempt, and evidence of what does not. Pure; it coerces nothing. */

import { newId } from '../../core/ids.ts';
import { ONE_DOLLAR_MICROS } from '../../money/units.ts';
import type { VenueOrder } from '../../venues/order.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import type { ExecutedFill } from './execution.ts';
import type { Attempt } from './transmissions.ts';

export interface RecordedFill {
  readonly fill_id: string;
  readonly quantity: bigint;
  readonly price_micros: bigint;
  readonly fee_micros: bigint | null;
  readonly venue_fill_id: string | null;
}

export interface Evidence {
  readonly kind: string;
  readonly raw: unknown;
}

export interface ValidatedReport {
  /** The recorded ones first, with fees that became known; then the new ones as the venue orders them. */
  readonly fills: readonly ExecutedFill[];
  readonly evidence: readonly Evidence[];
}

export function validateReport(
  order: Pick<OrderForUpdate, 'action'>,
  attempt: Pick<Attempt, 'our_id' | 'listing_id' | 'side' | 'quantity' | 'limit_price_micros' | 'spend_micros'>,
  recorded: readonly RecordedFill[],
  report: VenueOrder,
): ValidatedReport {
  const evidence: Evidence[] = [];
  if (report.ourId !== attempt.our_id || report.listingId !== attempt.listing_id || report.side !== attempt.side) {
    return { fills: recorded.map((fill) => known(fill, null)), evidence: [{ kind: 'foreign_order', raw: report }] };
  }
  const reported = new Map(report.fills.map((fill) => [fill.fillId, fill]));
  const fills: ExecutedFill[] = recorded.map((fill) => {
    const again = reported.get(fill.venue_fill_id ?? '');
    if (again !== undefined && (again.quantityMicros !== fill.quantity || again.priceMicros !== fill.price_micros)) {
      evidence.push({ kind: 'fill_changed', raw: again });
    }
    const feeMicros = again?.feeMicros ?? null;
    if (fill.fee_micros !== null && feeMicros !== null && feeMicros !== fill.fee_micros) {
      // The fee that was read first is booked; another one moves no money until a person decides.
      evidence.push({ kind: 'fee_changed', raw: again });
    }
    if (fill.fee_micros === null && feeMicros !== null && feeMicros < 0n) {
      evidence.push({ kind: 'impossible_fee', raw: again });
      return known(fill, null);
    }
    return known(fill, feeMicros);
  });
  const seen = new Set(recorded.map((fill) => fill.venue_fill_id));
  let filled = sumOf(recorded.map((fill) => ({ quantityMicros: fill.quantity, priceMicros: fill.price_micros })));
  for (const fill of reported.values()) {
    if (seen.has(fill.fillId)) {
      continue;
    }
    const problem = classifyFill(order, attempt, fill, filled);
    if (problem !== null) {
      evidence.push({ kind: problem, raw: fill });
      continue;
    }
    filled = plus(filled, fill);
    fills.push({
      fillId: newId('fil'),
      venueFillId: fill.fillId,
      recorded: false,
      priceMicros: fill.priceMicros,
      quantityMicros: fill.quantityMicros,
      feeMicros: fill.feeMicros,
    });
  }
  return { fills, evidence };
}

function classifyFill(
  order: Pick<OrderForUpdate, 'action'>,
  attempt: Pick<Attempt, 'our_id' | 'listing_id' | 'quantity' | 'limit_price_micros' | 'spend_micros'>,
  fill: VenueOrder['fills'][number],
  filled: Filled,
): string | null {
  if (fill.ourId !== attempt.our_id || fill.listingId !== attempt.listing_id) {
    return 'foreign_fill';
  }
  if (fill.priceMicros <= 0n || fill.priceMicros >= ONE_DOLLAR_MICROS) {
    return 'impossible_price';
  }
  if (fill.quantityMicros <= 0n || isBeyond(plus(filled, fill), attempt)) {
    return 'impossible_quantity';
  }
  if (fill.feeMicros !== null && fill.feeMicros < 0n) {
    return 'impossible_fee';
  }
  const worse =
    order.action === 'buy'
      ? fill.priceMicros > attempt.limit_price_micros
      : fill.priceMicros < attempt.limit_price_micros;
  return worse ? 'beyond_limit' : null;
}

interface Filled {
  readonly quantityMicros: bigint;
  /** Price times quantity. */
  readonly weight: bigint;
}
type FilledPart = Pick<VenueOrder['fills'][number], 'quantityMicros' | 'priceMicros'>;

function plus({ quantityMicros, weight }: Filled, part: FilledPart): Filled {
  return {
    quantityMicros: quantityMicros + part.quantityMicros,
    weight: weight + part.quantityMicros * part.priceMicros,
  };
}

function sumOf(parts: readonly FilledPart[]): Filled {
  return parts.reduce(plus, { quantityMicros: 0n, weight: 0n });
}

/** More than was asked for: of contracts, or of the dollars where the venue takes dollars (rulings 12 "Venues"). */
function isBeyond({ quantityMicros, weight }: Filled, attempt: Pick<Attempt, 'quantity' | 'spend_micros'>): boolean {
  return attempt.spend_micros === null
    ? quantityMicros > attempt.quantity
    : weight > attempt.spend_micros * ONE_DOLLAR_MICROS;
}

/** A recorded fill, with its fee if that became known since. */
export function known(fill: RecordedFill, feeMicros: bigint | null): ExecutedFill {
  return {
    fillId: fill.fill_id,
    venueFillId: fill.venue_fill_id,
    recorded: true,
    priceMicros: fill.price_micros,
    quantityMicros: fill.quantity,
    feeMicros: fill.fee_micros ?? feeMicros,
  };
}
