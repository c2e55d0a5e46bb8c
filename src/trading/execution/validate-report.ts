/** Validates what a venue reported of an order: fills that fit the attempt, and evidence of what does not. Pure; it coerces nothing. */

import { newId } from '../../core/ids.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { VenueOrder } from '../../venues/port.ts';
import type { OrderRow } from '../orders/order.ts';
import type { ExecutedFill } from './execution.ts';
import type { SentAttempt } from './transmissions.ts';

export interface RecordedFill {
  readonly fillId: string;
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly feeMicros: bigint | null;
  readonly venueFillId: string | null;
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
  order: Pick<OrderRow, 'action'>,
  attempt: SentAttempt,
  recorded: readonly RecordedFill[],
  report: VenueOrder,
): ValidatedReport {
  const evidence: Evidence[] = [];
  if (report.ourId !== attempt.ourId || report.listingId !== attempt.listingId || report.side !== attempt.side) {
    return { fills: recorded.map((fill) => known(fill, null)), evidence: [{ kind: 'foreign_order', raw: report }] };
  }
  const reported = new Map(report.fills.map((fill) => [fill.fillId, fill]));
  const fills: ExecutedFill[] = recorded.map((fill) => {
    const again = reported.get(fill.venueFillId ?? '');
    if (again !== undefined && (again.quantityMicros !== fill.quantity || again.priceMicros !== fill.priceMicros)) {
      evidence.push({ kind: 'fill_changed', raw: again });
    }
    const feeMicros = again?.feeMicros ?? null;
    if (fill.feeMicros !== null && feeMicros !== null && feeMicros !== fill.feeMicros) {
      // The fee that was read first is booked; another one moves no money until a person decides.
      evidence.push({ kind: 'fee_changed', raw: again });
    }
    if (fill.feeMicros === null && again !== undefined && !isPossibleFee(again)) {
      evidence.push({ kind: 'impossible_fee', raw: again });
      return known(fill, null);
    }
    return known(fill, feeMicros, again?.earnedMicros);
  });
  const missing = recorded.filter((fill) => fill.venueFillId !== null && !reported.has(fill.venueFillId));
  if (report.state !== 'working' && missing.length > 0) {
    evidence.push({ kind: 'fill_missing', raw: missing });
  }
  const seen = new Set(recorded.map((fill) => fill.venueFillId));
  let filled = sumOf(recorded.map((fill) => ({ quantityMicros: fill.quantity, priceMicros: fill.priceMicros })));
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
      feeRecorded: false,
      priceMicros: fill.priceMicros,
      quantityMicros: fill.quantityMicros,
      feeMicros: fill.feeMicros,
      earnedMicros: fill.earnedMicros,
    });
  }
  return { fills, evidence };
}

/** Not below zero, and what is collected for us is a part of it. */
function isPossibleFee({ feeMicros, earnedMicros = 0n }: VenueOrder['fills'][number]): boolean {
  return feeMicros === null ? earnedMicros === 0n : earnedMicros >= 0n && feeMicros >= earnedMicros;
}

function classifyFill(
  order: Pick<OrderRow, 'action'>,
  attempt: SentAttempt,
  fill: VenueOrder['fills'][number],
  filled: Filled,
): string | null {
  if (fill.ourId !== attempt.ourId || fill.listingId !== attempt.listingId) {
    return 'foreign_fill';
  }
  if (fill.priceMicros <= 0n || fill.priceMicros >= ONE_DOLLAR_MICROS) {
    return 'impossible_price';
  }
  if (fill.quantityMicros <= 0n || isBeyond(plus(filled, fill), attempt)) {
    return 'impossible_quantity';
  }
  if (!isPossibleFee(fill)) {
    return 'impossible_fee';
  }
  const worse =
    order.action === 'buy' ? fill.priceMicros > attempt.limitPriceMicros : fill.priceMicros < attempt.limitPriceMicros;
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

/** More than was asked for: of contracts, or of the dollars where the venue takes dollars (contract 13.16). */
function isBeyond({ quantityMicros, weight }: Filled, attempt: Pick<SentAttempt, 'quantity' | 'spendMicros'>): boolean {
  return attempt.spendMicros === null
    ? quantityMicros > attempt.quantity
    : weight > attempt.spendMicros * ONE_DOLLAR_MICROS;
}

/** A recorded fill, with its fee if that became known since. */
export function known(fill: RecordedFill, feeMicros: bigint | null, earnedMicros?: bigint): ExecutedFill {
  return {
    fillId: fill.fillId,
    venueFillId: fill.venueFillId,
    recorded: true,
    feeRecorded: fill.feeMicros !== null,
    priceMicros: fill.priceMicros,
    quantityMicros: fill.quantity,
    feeMicros: fill.feeMicros ?? feeMicros,
    earnedMicros,
  };
}
