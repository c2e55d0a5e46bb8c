/**
 * Our id of an order at a venue. It follows from the order's id, so that a repeat of the same order, for whatever reason, is
 * the same order there, and so that an order found at a venue leads back to ours, whatever our tables lost.
 */
const OURS = /^att_([0-9a-f]{32})$/;

/** @param orderId `ord_` and 32 hex digits. */
export function venueIdOf(orderId: string): string {
  return orderId.replace(/^ord_/, 'att_');
}

/** @returns undefined where the id is none that we make. */
export function orderIdOf(ourId: string): string | undefined {
  const body = OURS.exec(ourId)?.[1];
  return body === undefined ? undefined : `ord_${body}`;
}
