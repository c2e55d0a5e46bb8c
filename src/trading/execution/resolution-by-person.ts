/**
 * What a person learned from the venue about an unknown order, as its execution. It is not checked against the limit or the
 * quantity that was sent: what the venue did is recorded, what the customer pays stays bounded, and the difference goes to
 * `overrun` (contract 18.9). It is refused only if it contradicts the fills that are recorded. Pure.
 */

import { refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { CENT, jsonNumber, MICRO_SCALE, MICROS_PER_CENT } from '../../money/decimal.ts';
import type { OrderRow } from '../orders/order.ts';
import type { ExecutedFill, Execution } from './execution.ts';
import type { Attempt } from './transmissions.ts';
import { type Evidence, known, type RecordedFill } from './validate-report.ts';

export type Learned =
  | { readonly rejected: true }
  /** Micro-contracts filled in all, average price in micro-dollars and fee in cents of what is not recorded yet; the venue has closed the order. */
  | {
      readonly rejected: false;
      readonly quantityMicros: bigint;
      readonly priceMicros: bigint;
      readonly feeMinor: bigint;
    };

/**
 * @returns the execution, and what of it exceeds what was sent.
 * @throws contradicts_fills if it says less than is recorded, or a fee that no fill can take.
 */
export function learnedExecution(
  order: Pick<OrderRow, 'action' | 'quotedQuantity'>,
  attempt: Pick<Attempt, 'quantity' | 'limitPriceMicros'>,
  recorded: readonly RecordedFill[],
  mode: Execution['mode'],
  learned: Learned,
): { readonly execution: Execution; readonly evidence: readonly Evidence[] } {
  const filled = recorded.reduce((sum, fill) => sum + fill.quantity, 0n);
  const head = { mode, askedMicros: attempt.quantity };
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
  // a sell delivers no more than the order held back of the position
  const most = order.action === 'sell' ? larger(order.quotedQuantity, filled) : quantityMicros;
  const takenMicros = smaller(quantityMicros, most) - filled;
  const unread = recorded.findIndex((fill) => fill.feeMicros === null);
  if (feeMinor > 0n && unread < 0 && takenMicros === 0n) {
    throw refuse(
      'contradicts_fills',
      'Every fill and its fee are recorded: there is nothing that a fee could belong to.',
    );
  }
  // one fee was learned, of everything that was not read yet: it goes with the first of it
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
  const raw = { quantityMicros, priceMicros, sentMicros: attempt.quantity, limitMicros: attempt.limitPriceMicros };
  const evidence: Evidence[] = [];
  if (quantityMicros > filled && beyond) {
    evidence.push({ kind: 'beyond_limit', raw });
  }
  // what a sell gained beyond it is reported once, as the overrun
  if (quantityMicros > attempt.quantity && order.action === 'buy') {
    evidence.push({ kind: 'beyond_quantity', raw });
  }
  const gainedMinor = ((quantityMicros - filled - takenMicros) * priceMicros) / CENT;
  return { execution: { ...head, fills, state: 'closed', reason: null, gainedMinor }, evidence };
}

const shown = (micros: bigint) => jsonNumber(micros, MICRO_SCALE);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
