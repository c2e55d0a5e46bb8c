/**
 * Our id of an order at a venue. It is derived from the order's id, so that sending the same order again can only be the same
 * order there, and so that an order found at a venue leads back to ours even if our tables lost it.
 */
const OURS = /^att_([0-9a-f]{32})$/;

/** @param orderId `ord_` and 32 hex digits. */
export function venueIdOf(orderId: string): string {
  return orderId.replace(/^ord_/, 'att_');
}

/** @returns undefined if the id is not one of ours. */
export function orderIdOf(ourId: string): string | undefined {
  const body = OURS.exec(ourId)?.[1];
  return body === undefined ? undefined : `ord_${body}`;
}
