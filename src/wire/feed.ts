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
  id: z.string().describe('Id of the fact itself.'),
  cursor: z.string().describe('Cursor that continues right after this item.'),
  sequence: z.int().min(1).describe('Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps.'),
  occurredAt: timestamp('Time at which the fact was recorded.'),
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

const collateralMoney = movementMoney
  .extend({
    balanceAfter: amount('Free collateral after the movement.'),
    committedAfter: amount('Collateral that is committed to orders after the movement.'),
  })
  .meta({ id: 'CollateralMoney' });

const postedMoney = movementMoney
  .extend({
    lines: z.array(
      z
        .object({
          accountId: z.string().describe('The account.'),
          debit: amount('Amount debited.'),
          credit: amount('Amount credited.'),
        })
        .meta({ id: 'LedgerLine' }),
    ),
  })
  .meta({ id: 'LedgerMoney' });

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
    money: operatorMoney.nullable().describe('Money of the buy after the change; null for a sell.'),
    detail: z
      .object({
        fromState: status.nullable().describe('The state before; null for a new order.'),
        toState: status.describe('The state after; the same as before if only the money or the transmission changed.'),
        reason: z
          .string()
          .nullable()
          .describe(
            'Reason of the change, if there is one. `rest_below_venue_step`: a sell left fewer contracts than the venue trades, and they stay in the position.',
          ),
        side,
        action,
        orderStatus: status.describe('Status of the order after the change.'),
        simulated,
        executionRef,
        settlementState: z
          .enum(SETTLEMENT_STATES)
          .describe('`money` is final exactly when this is `settled`. Book it then, and book nothing before.'),
        transmissionState: z.enum(TRANSMISSION_STATES).describe('Whether a venue may have the order.'),
        clientOrderId: z.string().describe("The operator's id of the order."),
        contractId,
      })
      .meta({ id: 'OrderStateChangedDetail' }),
  })
  .meta({ id: 'OrderStateChanged' });

const orderFilled = z
  .object({
    ...common,
    type: z.literal('order.filled'),
    money: z.null().describe('Always null: the money of an order is in `order.state_changed`.'),
    detail: z
      .object({
        quantity: quantity('Size of this fill.'),
        price: price('Price of this fill.'),
        side,
        executionRef,
      })
      .meta({ id: 'OrderFilledDetail' }),
  })
  .meta({ id: 'OrderFilled' });

const feeAssessed = z
  .object({
    ...common,
    type: z.literal('fee.assessed'),
    money: movementMoney,
    detail: z
      .object({
        kind: z.enum(['platform', 'venue']).describe('Receiver of the fee.'),
        bps: z.int().nullable().describe('Rate in basis points; null if there is none.'),
        realisedPnl: amount(
          'Change of the profit of a position whose contracts are all sold, because a venue fee became known later.',
        ).optional(),
      })
      .meta({ id: 'FeeAssessedDetail' }),
  })
  .meta({ id: 'FeeAssessed' });

const collateralMoved = z
  .object({
    ...common,
    type: z.literal('collateral.moved'),
    money: collateralMoney,
    detail: z
      .object({
        kind: z
          .enum(['deposit', 'withdrawal', 'commit', 'release', 'spend', 'return'])
          .describe('Kind of the movement.'),
        memo: z.string().describe('Text for people.'),
        ledgerEntryId: z.string().nullable().describe('The ledger entry of the movement.'),
      })
      .meta({ id: 'CollateralMovedDetail' }),
  })
  .meta({ id: 'CollateralMoved' });

const ledgerPosted = z
  .object({
    ...common,
    type: z.literal('ledger.posted'),
    positionId: z.null().describe('Always null.'),
    money: postedMoney,
    detail: z
      .object({
        movementType: z.string().describe('Kind of the movement.'),
        memo: z.string().describe('Text for people.'),
        referenceType: z.string().describe('Kind of the record that caused the entry.'),
        referenceId: z.string().describe('Id of the record that caused the entry.'),
        correctsEntryId: z.string().nullable().describe('Always null: no entry corrects another.'),
        effectiveAt: timestamp('Effective date of the entry, if it is not `occurredAt`.').optional(),
      })
      .meta({ id: 'LedgerPostedDetail' }),
  })
  .meta({ id: 'LedgerPosted' });

const positionExited = z
  .object({
    ...common,
    type: z.literal('position.exited'),
    money: operatorExitMoney,
    detail: z
      .object({
        side,
        quantity: quantity('Quantity sold.'),
        quantityRemaining: quantity('Quantity still held.'),
        exitPrice: price('Price of the exit.'),
        entryPrice: price('Average price of the buys.'),
        simulated,
        venueAgrees: z.boolean().nullable().describe('Whether the venue reports the same; null if it is not known.'),
        venueFeeKnown: z.boolean().describe('Whether the fee of the venue is known.'),
        costBasis: amount('Cost of the contracts that were sold, fees included.'),
        entryFeeShare: amount('Part of that cost that was fees.'),
        realisedPnl: amount('Proceeds less that cost.'),
        executionRef,
        contractId,
      })
      .meta({ id: 'PositionExitedDetail' }),
  })
  .meta({ id: 'PositionExited' });

const positionSettled = z
  .object({
    ...common,
    type: z.literal('position.settled'),
    money: settlementMoney,
    detail: z
      .object({
        resolution: z.enum(RESOLUTIONS).describe('Resolution of the contract.'),
        side,
        contracts: quantity('Quantity settled.'),
        realisedPnl: amount('Profit of this settlement.'),
        lifetimeRealisedPnl: amount('Profit of the position so far.'),
        outcome: z.enum(OUTCOMES).describe('Result of the position.'),
        contractId,
      })
      .meta({ id: 'PositionSettledDetail' }),
  })
  .meta({ id: 'PositionSettled' });

const webhookEmitted = z
  .object({
    ...common,
    type: z.literal('webhook.emitted'),
    money: z.null().describe('Always null.'),
    detail: z
      .object({
        eventType: z.string().describe('Type of the event.'),
        dedupeKey: z.string().describe('Deduplication key of the event. Compare it as a whole.'),
      })
      .meta({ id: 'WebhookEmittedDetail' }),
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
  externalUserId: userFilter.describe('Only this customer. An unknown customer is refused with 404 `unknown_user`.'),
  limit: pageLimit(500, 100),
  last: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'a whole number from 1 to 999')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 999 })
    .describe('Without a cursor, the page begins this many matching items before the end.'),
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
    signedAt: timestamp('Time at which the checkpoint was signed.'),
  })
  .meta({ id: 'FeedCheckpoint' });

const logKey = z
  .object({
    size: z
      .int()
      .min(0)
      .describe('Number of items in the log when the key came into use. It signs checkpoints of more items.'),
    previousKey: z.string().nullable().describe('The previous verifier key; null if it was lost and could not sign.'),
    verifierKey: z.string().describe('The new verifier key.'),
    compromised: z.boolean().describe('Whether the previous key was replaced because others may have it.'),
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
    kind: z.enum(['inclusion', 'consistency']).describe('Kind of the proof.'),
    sequence: z
      .int()
      .optional()
      .describe('Of an inclusion proof: the number of the item, which is its leaf index plus one.'),
    leafHash: hash('Inclusion: hash of the leaf, which is the item in RFC 8785 form without `cursor`.').optional(),
    from: z.int().optional().describe('Of a consistency proof: the size of the smaller log.'),
    fromRoot: hash('Consistency: root of the smaller log.').optional(),
    size: z.int().describe('Size of the log.'),
    root: hash('Root of the log of that size.'),
    proof: z.array(hash('Node.')).describe('The hashes of the proof in the order of RFC 6962, 2.1.1 or 2.1.2.'),
  })
  .meta({ id: 'FeedProof' });
