/** What is sent to place, confirm, cancel, list and read orders (contract chapter 10). Rules of trading are not here. */
import { z } from 'zod';
import { clampedPage, repeatable, userFilter } from './page.ts';
import { reference } from './reference.ts';

const reserveReference = z
  .union([reference, z.literal('')])
  .nullish()
  .describe("The operator's reference of its reserve; an empty text is as absent.");

export const orderInput = z.object({
  quoteId: z.string().min(1).max(100).describe('The quote to spend.'),
  clientOrderId: reference.describe('Idempotency key, unique per operator and customer.'),
  executionIntent: z
    .enum(['record_intent', 'simulate'])
    .nullish()
    .describe('Default `record_intent` for live tenants, `simulate` for sandbox.'),
  reserveReference: reserveReference.describe('Confirms the reserve in the same call.'),
  maxSlippage: z
    .number()
    .min(0)
    .lt(1)
    .nullish()
    .describe('Adverse price allowance in dollars a contract, default 0, clamped to 0.05.'),
});

/** The body may be left out altogether. */
export const confirmReserveInput = z.object({ reserveReference }).nullish().describe('Optional.');

/** Nothing is read from it; it may be left out altogether. */
export const cancelInput = z.object({}).nullish().describe('Optional, and empty.');

const TRUE = 'true';

export const orderQuery = z.object({
  fills: z
    .string()
    .optional()
    .transform((text) => text === TRUE)
    .meta({ type: 'boolean', description: '`true`, spelt so, adds the fills.' }),
});

export const orderListQuery = z
  .object({
    externalUserId: userFilter,
    clientOrderId: reference.optional().describe('The one order of this key; needs `externalUserId`.'),
    executionRef: z.string().optional().describe('The one order of this support reference.'),
    status: repeatable.optional().describe('An order status, repeatable; an unknown one gives an empty page.'),
    since: z.string().optional().describe('Earliest `createdAt`, inclusive; ignored where it is no date or date-time.'),
    until: z.string().optional().describe('Latest `createdAt`, inclusive; ignored where it is no date or date-time.'),
    ...clampedPage,
  })
  .refine((query) => query.clientOrderId === undefined || query.externalUserId !== undefined, {
    message: 'clientOrderId requires externalUserId',
    path: ['clientOrderId'],
  });

/** Strict: a browser that sends `reserveReference` or `executionIntent` gets an error, since only a partner may send them. */
export const frameOrderInput = z.strictObject({
  quoteId: orderInput.shape.quoteId,
  clientOrderId: orderInput.shape.clientOrderId,
  maxSlippage: orderInput.shape.maxSlippage,
});

export const frameOrderListQuery = z.object({
  clientOrderId: reference.optional().describe('The one order of this key.'),
  contractId: z.string().optional().describe('Orders of this contract; with `side`, those of one position.'),
  side: z.enum(['YES', 'NO']).optional().describe('Orders of this side.'),
  status: repeatable.optional().describe('An order status, repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});
