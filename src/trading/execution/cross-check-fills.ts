/**
 * The venue's own record of an order's fills, read apart from its answer, so that two sources confirm an exit (contract chapter 22, `venueAgreement`). It moves no money and delays nothing: a missing record is no disagreement.
 */
import type { SentOrder, Venue } from '../../venues/port.ts';

/** By the venue's fill id. */
export type CrossCheck = ReadonlyMap<string, { readonly quantityMicros: bigint; readonly priceMicros: bigint }>;

/** @returns null for a buy, which exits no position, and if the venue cannot be read. */
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

/** @returns whether the venue's record of the fill is equal; null if there is none. */
export function agreesWith(
  crossCheck: CrossCheck | null | undefined,
  fill: { readonly venueFillId: string | null; readonly quantityMicros: bigint; readonly priceMicros: bigint },
): boolean | null {
  const recorded = fill.venueFillId === null ? undefined : crossCheck?.get(fill.venueFillId);
  return recorded === undefined
    ? null
    : recorded.quantityMicros === fill.quantityMicros && recorded.priceMicros === fill.priceMicros;
}
