/**
 * The reconciliation feed on the wire: its eight kinds of item (contract 21.7), and the checkpoints, keys and proofs of its
 * log (contract 24.3).
 */
import { z } from 'zod';
import { FEED_ITEM_TYPES } from '../core/terms.ts';
import {
  action,
  amount,
  movementMoney,
  operatorExitMoney,
  operatorMoney,
  price,
  quantity,
  settlementMoney,
  side,
  simulated,
  timestamp,
} from './money.ts';
import { ORDER_STATUSES, SETTLEMENT_STATES, TRANSMISSION_STATES } from './order.ts';
import { cursor, hasMore, pageLimit, repeatableOf, userFilter, waitSeconds, watermark } from './page.ts';
import { OUTCOMES, RESOLUTIONS } from './reconciliation.ts';

const common = {
  id: z.string().describe("The underlying fact's own id."),
  cursor: z.string().describe('Resumes right after this item.'),
  sequence: z.int().min(1).describe('Number of the item in the operator’s feed: dense, from 1.'),
  occurredAt: timestamp('When the fact was recorded.'),
  externalUserId: z
    .string()
    .nullable()
    .describe("The operator's id of the customer; null for the operator's own facts."),
  positionId: z.string().nullable().describe('The position concerned.'),
  orderId: z.string().nullable().describe('The order concerned.'),
};

const status = z.enum(ORDER_STATUSES);
const executionRef = z.string().describe('Support reference of the order.');

const contractId = z.string().describe('The `ctr_` id.');

const collateralMoney = movementMoney.extend({
  balanceAfter: amount('Collateral after the movement.'),
  committedAfter: amount('Of which committed to orders.'),
});

const postedMoney = movementMoney.extend({
  lines: z.array(
    z.object({
      accountId: z.string().describe('The account.'),
      debit: amount('Debited.'),
      credit: amount('Credited.'),
    }),
  ),
});

/** The money of an item, whatever its type; the most detailed shape that fits is first. */
export const itemMoney = z.union([
  operatorMoney,
  operatorExitMoney,
  settlementMoney,
  collateralMoney,
  postedMoney,
  movementMoney,
]);

const orderStateChanged = z
  .object({
    ...common,
    type: z.literal('order.state_changed'),
    money: operatorMoney.nullable().describe('What a read of a buy shows at that moment; null for a sell.'),
    detail: z.object({
      fromState: status.nullable().describe('Null at creation.'),
      toState: status.describe('The state reached; equal where only money or transmission moved.'),
      reason: z
        .string()
        .nullable()
        .describe(
          'Why, where there is more to say. `rest_below_venue_step`: a sell left contracts over that are fewer than the venue trades; they stay in the position.',
        ),
      side,
      action,
      orderStatus: status.describe('Status of the order after the change.'),
      simulated,
      executionRef,
      settlementState: z
        .enum(SETTLEMENT_STATES)
        .describe('`money` is final exactly when this is `settled`; book it then, and nothing before.'),
      transmissionState: z.enum(TRANSMISSION_STATES).describe('Whether a venue may have the order.'),
      clientOrderId: z.string().describe("The operator's id of the order."),
      contractId,
    }),
  })
  .meta({ id: 'OrderStateChanged' });

const orderFilled = z
  .object({
    ...common,
    type: z.literal('order.filled'),
    money: z.null().describe('Order money is on `order.state_changed`.'),
    detail: z.object({ quantity: quantity('Of this fill.'), price: price('Of this fill.'), side, executionRef }),
  })
  .meta({ id: 'OrderFilled' });

const feeAssessed = z
  .object({
    ...common,
    type: z.literal('fee.assessed'),
    money: movementMoney,
    detail: z.object({
      kind: z.enum(['platform', 'venue']).describe('Whose fee.'),
      bps: z.int().nullable().describe('Rate in basis points; null where there is none.'),
      realisedPnl: amount(
        'Change of the profit of a position that holds nothing any more: a venue fee became known after everything was sold.',
      ).optional(),
    }),
  })
  .meta({ id: 'FeeAssessed' });

const collateralMoved = z
  .object({
    ...common,
    type: z.literal('collateral.moved'),
    money: collateralMoney,
    detail: z.object({
      kind: z.enum(['deposit', 'withdrawal', 'commit', 'release', 'spend', 'return']).describe('What moved it.'),
      memo: z.string().describe('For people.'),
      ledgerEntryId: z.string().nullable().describe('The entry that posted it.'),
    }),
  })
  .meta({ id: 'CollateralMoved' });

const ledgerPosted = z
  .object({
    ...common,
    type: z.literal('ledger.posted'),
    positionId: z.null().describe('Always null.'),
    money: postedMoney,
    detail: z.object({
      movementType: z.string().describe('Kind of the movement.'),
      memo: z.string().describe('For people.'),
      referenceType: z.string().describe('Kind of what caused it.'),
      referenceId: z.string().describe('Id of what caused it.'),
      correctsEntryId: z.string().nullable().describe('Always null: no entry corrects another.'),
      effectiveAt: timestamp('The date that it belongs to, if that is not `occurredAt`.').optional(),
    }),
  })
  .meta({ id: 'LedgerPosted' });

const positionExited = z
  .object({
    ...common,
    type: z.literal('position.exited'),
    money: operatorExitMoney,
    detail: z.object({
      side,
      quantity: quantity('Sold.'),
      quantityRemaining: quantity('Still held.'),
      exitPrice: price('Of the exit.'),
      entryPrice: price('Average of the entries.'),
      simulated,
      venueAgrees: z.boolean().nullable().describe('Whether the venue says the same; null is unknown.'),
      venueFeeKnown: z.boolean().describe("Whether the venue's fee is what was taken."),
      costBasis: amount('Cost of what was sold, fees included.'),
      entryFeeShare: amount('Entry fees in that cost.'),
      realisedPnl: amount('Proceeds less that cost.'),
      executionRef,
      contractId,
    }),
  })
  .meta({ id: 'PositionExited' });

const positionSettled = z
  .object({
    ...common,
    type: z.literal('position.settled'),
    money: settlementMoney,
    detail: z.object({
      resolution: z.enum(RESOLUTIONS).describe('How the contract resolved.'),
      side,
      contracts: quantity('Settled.'),
      realisedPnl: amount('Profit of this settlement.'),
      lifetimeRealisedPnl: amount('Running total of the position.'),
      outcome: z.enum(OUTCOMES).describe('How it ended for the position.'),
      contractId,
    }),
  })
  .meta({ id: 'PositionSettled' });

const webhookEmitted = z
  .object({
    ...common,
    type: z.literal('webhook.emitted'),
    money: z.null().describe('None.'),
    detail: z.object({
      eventType: z.string().describe('Type of the event.'),
      dedupeKey: z.string().describe('Its key; compare whole.'),
    }),
  })
  .meta({ id: 'WebhookEmitted' });

export const feedItem = z
  .discriminatedUnion('type', [
    orderStateChanged,
    orderFilled,
    feeAssessed,
    collateralMoved,
    ledgerPosted,
    positionExited,
    positionSettled,
    webhookEmitted,
  ])
  .meta({ id: 'FeedItem' });

export const feedPage = z
  .object({
    items: z.array(feedItem).describe('In order of `sequence`.'),
    nextCursor: watermark,
    hasMore,
  })
  .meta({ id: 'FeedPage' });

export const feedQuery = z.object({
  cursor,
  type: repeatableOf(FEED_ITEM_TYPES, 'Repeatable; an unknown one is 400 `invalid_type`, which names all.'),
  externalUserId: userFilter.describe('An unknown customer is 404 `unknown_user`.'),
  limit: pageLimit(500, 100),
  last: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'a whole number from 1 to 999')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 999 })
    .describe('Without a cursor: begins this many matching items before the end.'),
  wait: waitSeconds,
});

export type FeedItem = z.infer<typeof feedItem>;
export type FeedPage = z.infer<typeof feedPage>;

const hash = (what: string) => z.string().describe(`${what} SHA-256, base64.`);
const wholeNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, 'a whole number from 1')
  .transform(Number);
const parameter = (description: string) => wholeNumber.optional().meta({ type: 'integer', minimum: 1, description });

export const feedCheckpoint = z
  .object({
    origin: z.string().describe('`inlay/<operatorId>`.'),
    size: z.int().min(0).describe('Number of the newest item that the checkpoint covers.'),
    root: hash('Root of the Merkle tree over the items 1 to `size` (RFC 6962).'),
    checkpoint: z.string().describe('The signed note: C2SP tlog-checkpoint, Ed25519.'),
    verifierKey: z
      .string()
      .describe('Verifier key of the signer in the form of C2SP signed-note. Keep your own copy of it.'),
    signedAt: timestamp('When the checkpoint was signed.'),
  })
  .meta({ id: 'FeedCheckpoint' });

const logKey = z
  .object({
    size: z.int().min(0).describe('Items in the log when the key took over: it signs checkpoints of more items.'),
    previousKey: z.string().nullable().describe('Verifier key before; null if it was lost and could not sign.'),
    verifierKey: z.string().describe('The verifier key that took over.'),
    compromised: z.boolean().describe('The key before was given up because others may have it.'),
    note: z.string().describe('The signed note that names the new key, with the signatures of both keys.'),
  })
  .meta({ id: 'LogKey' });

export const logKeys = z
  .object({
    origin: z.string().describe('`inlay/<operatorId>`.'),
    keys: z.array(logKey).describe('Every change of the key, in order; empty while the log has its first key.'),
  })
  .meta({ id: 'LogKeys' });

export const feedProofQuery = z
  .strictObject({
    sequence: parameter('Proves that the log holds the item of this number.'),
    from: parameter('Proves that the log of this size is the beginning of the log of `size`.'),
    size: parameter('Size of the log; that of the newest checkpoint where it is left out.'),
  })
  .refine(({ sequence, from }) => (sequence === undefined) !== (from === undefined), {
    message: 'exactly one of sequence and from',
    path: ['sequence'],
  });

export const feedProof = z
  .object({
    origin: z.string().describe('`inlay/<operatorId>`.'),
    kind: z.enum(['inclusion', 'consistency']).describe('What is proven.'),
    sequence: z.int().optional().describe('Inclusion: the number of the item; its leaf index plus one.'),
    leafHash: hash('Inclusion: hash of the leaf, which is the item in RFC 8785 form without `cursor`.').optional(),
    from: z.int().optional().describe('Consistency: size of the smaller log.'),
    fromRoot: hash('Consistency: root of the smaller log.').optional(),
    size: z.int().describe('Size of the log.'),
    root: hash('Root of the log of that size.'),
    proof: z.array(hash('Node.')).describe('The proof of RFC 6962, 2.1.1 or 2.1.2, in its order.'),
  })
  .meta({ id: 'FeedProof' });
