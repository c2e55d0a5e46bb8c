/**
 * Reads the report of a venue or a support person about an order: the fills that are accepted, and the state of the order after them
 * (contract 13.9). Every contradiction of the attempt becomes evidence and moves no money.
 */
import { VENUE_NAMES } from '../../core/environment.ts';
import { refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Mode, OrderStatus, TransmissionState } from '../../core/terms.ts';
import type { RecordedFill } from '../../ledger/fills.ts';
import type { FillMoney } from '../../money/blocks.ts';
import { CENT, jsonNumber, MICRO_SCALE, MICROS_PER_CENT, ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { Fill } from '../../money/live.ts';
import type { SentOrder, Venue, VenueFill, VenueOrder } from '../../venues/port.ts';
import type { OrderRow } from '../orders/order.ts';
import type { Attempt, SentAttempt } from './attempts.ts';

/** A fill that is recorded already, or a new one with its id at the venue. */
export interface ExecutedFill extends Fill {
  readonly fillId: string;
  readonly venueFillId: string | null;
  readonly recorded: boolean;
  /** Whether its fee is recorded too. The contracts of such a fill of a sell have left the position. */
  readonly feeRecorded: boolean;
  /** The part of the fee that the venue collects for the service operator, in micro-dollars; missing if there is none. */
  readonly earnedMicros?: bigint | undefined;
}

export interface Execution {
  readonly mode: Mode;
  /** All fills of the order: the recorded ones first, in their order. */
  readonly fills: readonly ExecutedFill[];
  /** The quantity that was ordered at the venue. */
  readonly askedMicros: bigint;
  /** `working` may still fill; `rejected` only without a fill. */
  readonly state: 'working' | 'closed' | 'rejected';
  readonly reason: string | null;
  /** Whether the venue had already confirmed that it has the order. */
  readonly acknowledged?: boolean;
  /** Money of the fills if the service filled the order itself. Otherwise it follows from prices and fees. */
  readonly simulated?: FillMoney;
  /** Cents that a venue paid for more than the sell could deliver. They do not belong to the customer. */
  readonly gainedMinor?: bigint;
  /** The venue's own record of the fills of a sell, if it was read. */
  readonly crossCheck?: CrossCheck | null;
}

export interface Evidence {
  readonly kind: string;
  readonly raw: unknown;
}

interface ValidatedReport {
  /** The recorded fills first, with fees that became known; then the new ones in the venue's order. */
  readonly fills: readonly ExecutedFill[];
  readonly evidence: readonly Evidence[];
}

/** Accepts the fills that fit the attempt, and returns evidence of those that do not. It corrects nothing. */
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
    if (
      again !== undefined &&
      (again.quantityMicros !== fill.quantityMicros || again.priceMicros !== fill.priceMicros)
    ) {
      evidence.push({ kind: 'fill_changed', raw: again });
    }
    const feeMicros = again?.feeMicros ?? null;
    if (fill.feeMicros !== null && feeMicros !== null && feeMicros !== fill.feeMicros) {
      // The fee that was read first is booked. Another one moves no money until a support person decides.
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
  let filled = sumFills(recorded);
  for (const fill of reported.values()) {
    if (seen.has(fill.fillId)) {
      continue;
    }
    const problem = classifyFill(order, attempt, fill, filled);
    if (problem !== null) {
      evidence.push({ kind: problem, raw: fill });
      continue;
    }
    filled = plusFill(filled, fill);
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

/** Whether the fee is not below zero and includes the part that is collected for us. */
function isPossibleFee({ feeMicros, earnedMicros = 0n }: VenueOrder['fills'][number]): boolean {
  return feeMicros === null ? earnedMicros === 0n : earnedMicros >= 0n && feeMicros >= earnedMicros;
}

function classifyFill(
  order: Pick<OrderRow, 'action'>,
  attempt: SentAttempt,
  fill: VenueOrder['fills'][number],
  filled: FilledSums,
): string | null {
  if (fill.ourId !== attempt.ourId || fill.listingId !== attempt.listingId) {
    return 'foreign_fill';
  }
  if (fill.priceMicros <= 0n || fill.priceMicros >= ONE_DOLLAR_MICROS) {
    return 'impossible_price';
  }
  if (fill.quantityMicros <= 0n || isBeyond(plusFill(filled, fill), attempt)) {
    return 'impossible_quantity';
  }
  if (!isPossibleFee(fill)) {
    return 'impossible_fee';
  }
  const worse =
    order.action === 'buy' ? fill.priceMicros > attempt.limitPriceMicros : fill.priceMicros < attempt.limitPriceMicros;
  return worse ? 'beyond_limit' : null;
}

type FilledPart = Pick<VenueOrder['fills'][number], 'quantityMicros' | 'priceMicros'>;

/** Whether this is more than was ordered: more contracts, or more dollars if the venue takes dollars (contract 13.16). */
function isBeyond(
  { filledMicros, priceWeight }: FilledSums,
  attempt: Pick<SentAttempt, 'quantityMicros' | 'spendMicros'>,
): boolean {
  return attempt.spendMicros === null
    ? filledMicros > attempt.quantityMicros
    : priceWeight > attempt.spendMicros * ONE_DOLLAR_MICROS;
}

/** A recorded fill, with its fee if that has become known. */
export function known(fill: RecordedFill, feeMicros: bigint | null, earnedMicros?: bigint): ExecutedFill {
  return {
    fillId: fill.fillId,
    venueFillId: fill.venueFillId,
    recorded: true,
    feeRecorded: fill.feeMicros !== null,
    priceMicros: fill.priceMicros,
    quantityMicros: fill.quantityMicros,
    feeMicros: fill.feeMicros ?? feeMicros,
    earnedMicros,
  };
}

/** The outcome that a support person learned from the venue. */
export type Learned =
  | { readonly rejected: true }
  /**
   * The venue has closed the order. The quantity is everything that was filled; price (an average) and fee are of the part that is not
   * recorded yet.
   */
  | {
      readonly rejected: false;
      readonly quantityMicros: bigint;
      readonly priceMicros: bigint;
      readonly feeMinor: bigint;
    };

/**
 * The execution of an order whose outcome a support person learned from the venue. It is not checked against the limit or the quantity that
 * was sent: the venue's execution is recorded, the customer's payment stays bounded, and the difference is booked to `overrun` (contract
 * 18.9). It is refused only if it contradicts the recorded fills.
 * @returns the execution, and evidence of the part that exceeds the order that was sent
 * @throws contradicts_fills if it reports less than is recorded, or a fee that belongs to no fill
 */
export function learnedExecution(
  order: Pick<OrderRow, 'action' | 'quotedQuantityMicros'>,
  attempt: Pick<Attempt, 'quantityMicros' | 'limitPriceMicros'>,
  recorded: readonly RecordedFill[],
  mode: Execution['mode'],
  learned: Learned,
): { readonly execution: Execution; readonly evidence: readonly Evidence[] } {
  const filled = recorded.reduce((sum, fill) => sum + fill.quantityMicros, 0n);
  const head = { mode, askedMicros: attempt.quantityMicros };
  if (learned.rejected) {
    if (recorded.length > 0) {
      throw refuse('contradicts_fills', `Fills of ${shown(filled)} contracts are recorded: it was not rejected.`);
    }
    return { execution: { ...head, fills: [], state: 'rejected', reason: 'rejected_by_venue' }, evidence: [] };
  }
  const { quantityMicros, priceMicros, feeMinor } = learned;
  if (quantityMicros < filled) {
    throw refuse(
      'contradicts_fills',
      `Fills of ${shown(filled)} contracts are recorded, more than ${shown(quantityMicros)}.`,
    );
  }
  // A sell delivers no more than the order held back of the position.
  const most = order.action === 'sell' ? larger(order.quotedQuantityMicros, filled) : quantityMicros;
  const takenMicros = smaller(quantityMicros, most) - filled;
  const unread = recorded.findIndex((fill) => fill.feeMicros === null);
  if (feeMinor > 0n && unread < 0 && takenMicros === 0n) {
    throw refuse('contradicts_fills', 'Every fill and its fee are recorded, so the fee belongs to no fill.');
  }
  // One fee was learned for all fills whose fee was not read yet. The first of them carries it.
  const feeMicros = feeMinor * MICROS_PER_CENT;
  const fills: ExecutedFill[] = recorded.map((fill, index) => known(fill, index === unread ? feeMicros : 0n));
  if (takenMicros > 0n) {
    fills.push({
      fillId: newId('fil'),
      venueFillId: newId('att'),
      recorded: false,
      feeRecorded: false,
      priceMicros,
      quantityMicros: takenMicros,
      feeMicros: unread < 0 ? feeMicros : 0n,
    });
  }
  const beyond =
    order.action === 'buy' ? priceMicros > attempt.limitPriceMicros : priceMicros < attempt.limitPriceMicros;
  const raw = {
    quantityMicros,
    priceMicros,
    sentMicros: attempt.quantityMicros,
    limitMicros: attempt.limitPriceMicros,
  };
  const evidence: Evidence[] = [];
  if (quantityMicros > filled && beyond) {
    evidence.push({ kind: 'beyond_limit', raw });
  }
  // The gain of a sell beyond it is reported only once, as the overrun.
  if (quantityMicros > attempt.quantityMicros && order.action === 'buy') {
    evidence.push({ kind: 'beyond_quantity', raw });
  }
  const gainedMinor = ((quantityMicros - filled - takenMicros) * priceMicros) / CENT;
  return { execution: { ...head, fills, state: 'closed', reason: null, gainedMinor }, evidence };
}

const shown = (micros: bigint) => jsonNumber(micros, MICRO_SCALE);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

export interface Ending {
  readonly status: OrderStatus;
  readonly transmissionState: TransmissionState;
  readonly resolved: boolean;
  readonly matched: boolean;
}

/** The state of the order after the execution (contract 12.8 to 12.11). @param feesKnown whether the venue fees of all fills are known */
export function endingOf(execution: Execution, feesKnown: boolean): Ending {
  const { filledMicros } = sumFills(execution.fills);
  const matched = filledMicros >= execution.askedMicros;
  const over = matched || execution.state !== 'working';
  if (filledMicros === 0n) {
    const status =
      execution.state === 'working' ? 'submitted' : execution.state === 'rejected' ? 'rejected' : 'cancelled';
    return { status, transmissionState: over ? 'resolved' : 'unknown', resolved: over, matched: false };
  }
  const resolved = over && feesKnown;
  return {
    status: resolved && matched ? 'filled' : 'partially_filled',
    transmissionState: resolved ? 'resolved' : 'unknown',
    resolved,
    matched,
  };
}

/** Cumulative money after some of the fills. */
export interface Totals extends FillMoney {
  readonly venueFeeKnown: boolean;
  readonly overrunMinor: bigint;
}

export const NOTHING: FillMoney = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };

export function subtract(after: FillMoney, before: FillMoney): FillMoney {
  return {
    tradeMinor: after.tradeMinor - before.tradeMinor,
    platformFeeMinor: after.platformFeeMinor - before.platformFeeMinor,
    venueFeeMinor: after.venueFeeMinor - before.venueFeeMinor,
  };
}

export interface FilledSums {
  readonly filledMicros: bigint;
  /** The sum of price times quantity. */
  readonly priceWeight: bigint;
}

export const sumFills = (fills: readonly FilledPart[]): FilledSums =>
  fills.reduce(plusFill, { filledMicros: 0n, priceWeight: 0n });

export function plusFill({ filledMicros, priceWeight }: FilledSums, { quantityMicros, priceMicros }: FilledPart) {
  return {
    filledMicros: filledMicros + quantityMicros,
    priceWeight: priceWeight + quantityMicros * priceMicros,
  };
}

/**
 * The venue's own record of an order's fills, by the venue's fill ids. It is read apart from the venue's response, so that two sources
 * confirm an exit (contract chapter 22, `venueAgreement`). It moves no money, and a missing record is not a disagreement.
 */
export type CrossCheck = ReadonlyMap<string, { readonly quantityMicros: bigint; readonly priceMicros: bigint }>;

export const crossCheckOf = (fills: readonly VenueFill[]): CrossCheck =>
  new Map(fills.map((fill) => [fill.fillId, fill]));

/** @returns null for a buy, which exits no position, and if the venue cannot be read */
export async function readCrossCheck(
  venue: Pick<Venue, 'fills'>,
  ourId: string,
  sent: SentOrder,
): Promise<CrossCheck | null> {
  if (sent.action === 'BUY') {
    return null;
  }
  try {
    return crossCheckOf(await venue.fills(ourId, sent));
  } catch {
    return null;
  }
}

/** @returns whether the venue's record of the fill is equal; null if there is no record */
export function agreesWith(
  crossCheck: CrossCheck | null | undefined,
  fill: { readonly venueFillId: string | null; readonly quantityMicros: bigint; readonly priceMicros: bigint },
): boolean | null {
  const recorded = fill.venueFillId === null ? undefined : crossCheck?.get(fill.venueFillId);
  return recorded === undefined
    ? null
    : recorded.quantityMicros === fill.quantityMicros && recorded.priceMicros === fill.priceMicros;
}

const NAMES = new RegExp(`\\b(${VENUE_NAMES.toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'gi');
/** Ids of a venue: long words that contain a digit. */
const UPSTREAM_ID = /\b(?=[\w-]*\d)[\w-]{12,}\b/g;
const LONGEST = 200;

/**
 * A venue's reason as partners may read it, without the names of venues (contract chapter 11, `rejectReason`).
 * @param executionRef our reference, which replaces the venue's own ids
 */
export function publicReason(reason: string | null, executionRef: string): string | null {
  return reason === null
    ? null
    : reason
        .replace(NAMES, 'the venue')
        .replace(UPSTREAM_ID, (word) => (word === executionRef ? word : executionRef))
        .slice(0, LONGEST);
}

/** Reasons of our own, which need no reference. */
const OUR_REASONS: readonly string[] = ['venue_unavailable'];

/** The text of an order's `rejectReason`. @param reason as `publicReason` returned it */
export function rejectReason(reason: string | null, executionRef: string): string {
  return reason !== null && OUR_REASONS.includes(reason) ? reason : `${reason ?? 'rejected'} (${executionRef})`;
}
