/**
 * The venue's own record of an order's fills, read apart from its answer, so that an exit is agreed to by two paths
 * (specification "Reconciliation report", `venueAgreement`). It moves no money and holds nothing up: no record is no disagreement.
 */
import type { SentOrder } from '../../venues/order.ts';
import type { Venue } from '../../venues/port.ts';

/** By the venue's fill id. */
export type CrossCheck = ReadonlyMap<string, { readonly quantityMicros: bigint; readonly priceMicros: bigint }>;

/** @returns null for a buy, which no exit comes of, and where the venue could not be asked. */
export async function readCrossCheck(
  venue: Pick<Venue, 'fills'>,
  ourId: string,
  sent: SentOrder,
): Promise<CrossCheck | null> {
  if (sent.action === 'BUY') {
    return null;
  }
  try {
    return new Map((await venue.fills(ourId, sent)).map((fill) => [fill.fillId, fill]));
  } catch {
    return null;
  }
}

/** @returns whether the venue's record tells the fill alike; null where it tells nothing of it. */
export function agreesWith(
  crossCheck: CrossCheck | null | undefined,
  fill: { readonly venueFillId: string | null; readonly quantityMicros: bigint; readonly priceMicros: bigint },
): boolean | null {
  const told = fill.venueFillId === null ? undefined : crossCheck?.get(fill.venueFillId);
  return told === undefined
    ? null
    : told.quantityMicros === fill.quantityMicros && told.priceMicros === fill.priceMicros;
}
