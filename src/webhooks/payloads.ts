/** The payload of each webhook event as a zod shape (specification "Webhooks"), for the docs and the tests; the money statements write them. */
import { z } from 'zod';
import type { WebhookEventType } from './event.ts';

const amount = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .describe('Exact decimal in major units of the currency.');
const currency = z.literal('USD');
const side = z.enum(['YES', 'NO']);
const action = z.enum(['buy', 'sell']);
const orderStatus = z.enum([
  'reserve_pending',
  'pending_venue_execution',
  'submitted',
  'partially_filled',
  'filled',
  'rejected',
  'cancelled',
  'pending',
]);
const transmissionState = z.enum(['not_transmitted', 'unknown', 'resolved']);

const entryMoney = z.strictObject({
  currency,
  authorizationAmount: amount,
  actualDebit: amount,
  releaseAmount: amount,
  tradeAmount: amount,
  platformFee: amount,
  venueFee: amount,
  venueFeeKnown: z.boolean(),
});

const exitMoney = z.strictObject({
  currency,
  sellProceeds: amount,
  platformFee: amount,
  venueFee: amount,
  venueFeeKnown: z.boolean(),
});

const fillMoney = z.strictObject({
  currency,
  tradeAmount: amount,
  platformFee: amount,
  venueFee: amount,
  venueFeeKnown: z.boolean(),
  actualDebit: amount.nullable(),
  sellProceeds: amount.nullable(),
});

const orderIdentity = { orderId: z.string(), executionRef: z.string(), externalUserId: z.string() };
const ownOrder = { ...orderIdentity, clientOrderId: z.string() };
const traded = { contractId: z.string().startsWith('ctr_'), side, action };

const intentRecorded = z.strictObject({
  ...ownOrder,
  authorizationAmount: amount,
  currency,
  transmitted: z.literal(false),
});

const filled = z.strictObject({
  ...ownOrder,
  ...traded,
  fillId: z.string(),
  fillQuantity: z.number(),
  fillPrice: z.number(),
  filledQuantity: z.number(),
  averagePrice: z.number(),
  status: orderStatus,
  transmissionState,
  operatorMoney: entryMoney.nullable(),
  operatorExitMoney: exitMoney.nullable(),
  simulated: z.boolean(),
  fillSequence: z.int().positive().optional(),
  partial: z.boolean().optional(),
  final: z.boolean().optional(),
  fillMoney: fillMoney.optional(),
});

const completed = z.strictObject({
  ...ownOrder,
  ...traded,
  status: orderStatus,
  outcome: z.enum(['complete', 'closed_partial', 'closed_unfilled']),
  filledQuantity: z.number(),
  averagePrice: z.number().nullable(),
  fillCount: z.int().nonnegative(),
  transmissionState,
  final: z.literal(true),
  partial: z.boolean(),
  operatorMoney: entryMoney.nullable(),
  operatorExitMoney: exitMoney.nullable(),
  releaseAmount: amount,
  currency,
  simulated: z.boolean(),
});

const rejected = z.strictObject({ ...ownOrder, reason: z.string(), operatorMoney: entryMoney.nullable() });

const cancelled = z.strictObject({
  ...orderIdentity,
  cancellationId: z.string(),
  currency,
  authorizationAmount: amount,
  actualDebit: z.literal('0.00'),
  releaseAmount: amount,
  reason: z.string().nullable(),
  transmitted: z.boolean(),
});

const settled = z.strictObject({
  positionId: z.string(),
  settlementId: z.string(),
  externalUserId: z.string(),
  contractId: z.string().startsWith('ctr_'),
  side,
  resolution: z.enum(['YES', 'NO', 'VOID', 'SPLIT']),
  outcome: z.enum(['won', 'lost', 'void']),
  contracts: z.number(),
  costBasis: amount,
  entryFees: amount,
  payout: amount,
  realisedPnl: amount,
  lifetimeRealisedPnl: amount,
  operatorMoney: z.strictObject({ currency, settlementCredit: amount, voidCredit: amount }),
  simulated: z.boolean(),
});

const resolutionChanged = z.strictObject({
  contractId: z.string().startsWith('ctr_'),
  settledResolution: z.string(),
  currentResolution: z.string().nullable(),
  affectedPositionIds: z.array(z.string()).optional(),
  affectedPositionId: z.string(),
  action: z.literal('operator_review_required'),
});

/** Strict: a field that the specification does not name is a mistake of ours. */
export const PAYLOADS = {
  'order.intent_recorded': intentRecorded,
  'order.filled': filled,
  'order.rejected': rejected,
  'order.completed': completed,
  'order.cancelled': cancelled,
  'position.settled': settled,
  'market.resolution_changed': resolutionChanged,
} as const satisfies Record<WebhookEventType, z.ZodObject>;

export type WebhookPayload<T extends WebhookEventType> = z.infer<(typeof PAYLOADS)[T]>;
