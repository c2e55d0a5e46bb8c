/** What the frame sends where it may say less than a partner: its customer is the session's, and it speaks for no reserve. */
import { z } from 'zod';
import { orderInput } from '../order-requests.ts';
import { clampedPage, repeatable } from '../page.ts';
import { reference } from '../reference.ts';

/** Strict: a browser that sends `reserveReference` or `executionIntent` gets an error, since only a partner may send them. */
export const frameOrderInput = z.strictObject({
  quoteId: orderInput.shape.quoteId,
  clientOrderId: orderInput.shape.clientOrderId,
  maxSlippage: orderInput.shape.maxSlippage,
});

export const frameOrderListQuery = z.object({
  clientOrderId: reference.optional().describe('The one order of this key.'),
  status: repeatable.optional().describe('An order status, repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});
