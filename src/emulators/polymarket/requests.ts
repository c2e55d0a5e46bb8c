/** The requests that the emulated exchange accepts, checked as strictly as the exchange's own description requires, and those of the control route. */
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { decimalMicros } from '../../venues/shapes.ts';
import { clearFaultsRequest, commonFaults, faultRequest, paceRequest, randomFaultsRequest } from '../faults.ts';

const amount = z.string().transform((text, context) => {
  const value = decimalMicros(text);
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'not a decimal with at most six places' });
    return z.NEVER;
  }
  return value;
});
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as Address);
const integer = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt);
const word = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform((text) => text as Hex);

/** `SendOrder`. */
export const sendOrder = z.strictObject({
  deferExec: z.boolean(),
  /** The newer of the official clients leaves it out. */
  postOnly: z.boolean().default(false),
  owner: z.string().min(1),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
  order: z.strictObject({
    salt: z.int().min(0).transform(BigInt),
    maker: address,
    signer: address,
    tokenId: z.string().regex(/^[0-9]{1,78}$/),
    makerAmount: integer,
    takerAmount: integer,
    side: z.enum(['BUY', 'SELL']),
    signatureType: z.int().min(0).max(3),
    timestamp: integer,
    expiration: z.string().regex(/^[0-9]{1,12}$/),
    metadata: word,
    builder: word,
    signature: z
      .string()
      .regex(/^0x([0-9a-f]{2})+$/i)
      .transform((text) => text as Hex),
  }),
});
export type SendOrder = z.output<typeof sendOrder>;

export const cancelRequest = z.strictObject({ orderID: z.string().min(1) });
export const bookRequests = z.array(z.looseObject({ token_id: z.string() }));

/** Commands of the market channel. The first one has a type, later ones an operation. */
export const marketCommand = z.strictObject({
  assets_ids: z.array(z.string().regex(/^[0-9]{1,78}$/)),
  type: z.literal('market').optional(),
  operation: z.enum(['subscribe', 'unsubscribe']).optional(),
  custom_feature_enabled: z.boolean().optional(),
});
export const userSubscription = z.strictObject({
  auth: z.strictObject({ apiKey: z.string(), secret: z.string(), passphrase: z.string() }),
  markets: z.array(z.string()).optional(),
  type: z.literal('user'),
});

const level = z.tuple([amount, amount]).transform(([price, count]) => ({ price, count }));
const time = z.iso.datetime().transform((text) => new Date(text));
const payout = z.tuple([amount, amount]).refine(([yes, no]) => yes + no === 1_000_000n, 'they add up to a dollar');

const tokens = z.strictObject({ perSecond: z.number().min(0), atOnce: z.int().min(0) });

/** Requests to the control route. */
export const controlRequest = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('wallet'),
    /** Address of the key that signs. */
    signer: address,
    /** Address that holds the money; by default the signer's own. */
    funder: address.optional(),
    signatureType: z.int().min(0).max(3).default(0),
    cash: amount,
    /** The amount that the contracts of the exchange may take; by default all of it. */
    allowance: amount.optional(),
    /** The amount that the retired adapter of markets that exclude each other may take; by default all of it. */
    adapterAllowance: amount.optional(),
    /** The API key that orders of a deposit wallet need. */
    apiKeyBinding: z.enum(['owner', 'owner_after_update', 'wallet']).default('owner'),
    /** The wallet lets the exchange's redeemer take shares of resolved markets. */
    redeemer: z.boolean().default(false),
    /** The account may close positions and open none. */
    closedOnly: z.boolean().default(false),
  }),
  z.strictObject({ do: z.literal('builder'), code: word, takerBps: z.int().min(0).max(100).transform(BigInt) }),
  z.strictObject({
    do: z.literal('limits'),
    tier: z.string().default('standard'),
    orders: tokens,
    cancels: tokens,
    enforced: z.boolean().default(false),
  }),
  z.strictObject({
    do: z.literal('market'),
    /** Name of the market in the control route; its condition and tokens follow from it. */
    name: z.string().min(1),
    eventId: z.string().min(1).optional(),
    title: z.string().min(1),
    rules: z.string().default('Resolves by the source.'),
    outcomes: z.tuple([z.string(), z.string()]).default(['Yes', 'No']),
    closeTime: time,
    tick: amount.default(10_000n),
    minimum: amount.default(5_000_000n),
    negRisk: z.boolean().default(false),
    protocol: z.enum(['v1', 'v2']).default('v1'),
    feeRate: amount.default(0n),
  }),
  z.strictObject({ do: z.literal('book'), name: z.string(), bids: z.array(level), asks: z.array(level) }),
  z.strictObject({
    do: z.literal('terms'),
    name: z.string(),
    tick: amount.optional(),
    minimum: amount.optional(),
    acceptingOrders: z.boolean().optional(),
    feeRate: amount.optional(),
  }),
  z.strictObject({
    do: z.literal('vanish'),
    name: z.string(),
    vanished: z.union([z.boolean(), z.literal('catalogue')]).default(true),
  }),
  z.strictObject({
    do: z.literal('oracle'),
    name: z.string(),
    /** `withdrawn`: the proposal was too early, and trading continues. */
    status: z.enum(['proposed', 'disputed', 'resolved', 'withdrawn']),
    /** The payout of a share of each outcome; required for `resolved`. */
    payout: payout.optional(),
    /** The result comes without any word of the oracle, as it does now and then. */
    silent: z.boolean().default(false),
  }),
  /** Changes the dollars of a wallet: by an entry of its activity, or by a payment that no list contains. */
  z.strictObject({
    do: z.literal('pay'),
    signer: address,
    amount,
    type: z
      .enum(['DEPOSIT', 'WITHDRAWAL', 'TAKER_REBATE', 'MAKER_REBATE', 'REWARD', 'REFERRAL_REWARD', 'YIELD'])
      .optional(),
  }),
  /** Sends shares of an outcome to a wallet from outside. */
  z.strictObject({
    do: z.literal('gift'),
    signer: address,
    name: z.string(),
    outcome: z.union([z.literal(0), z.literal(1)]),
    shares: amount,
  }),
  z.strictObject({ do: z.literal('redeem') }),
  z.strictObject({ do: z.literal('redeemer'), afterMs: z.int().min(0) }),
  z.strictObject({
    do: z.literal('trading'),
    mode: z.enum(['open', 'cancel_only', 'post_only', 'disabled', 'restricted']),
  }),
  z.strictObject({ do: z.literal('data'), versions: z.array(z.enum(['v1', 'v2'])) }),
  z.strictObject({ do: z.literal('settlement'), minedMs: z.int().min(0), finalMs: z.int().min(0) }),
  faultRequest(
    z.discriminatedUnion('kind', [
      ...commonFaults(amount),
      z.strictObject({ kind: z.literal('delayed'), ms: z.int().min(1) }),
      z.strictObject({ kind: z.literal('trade_fails') }),
    ]),
  ),
  z.strictObject({ do: z.literal('clock'), aheadMs: z.int() }),
  z.strictObject({
    do: z.literal('stream'),
    fault: z.enum(['gap', 'twice', 'disconnect', 'silence', 'garbage']),
  }),
  z.strictObject({ do: z.literal('stream_say'), message: z.looseObject({ event_type: z.string() }) }),
  randomFaultsRequest,
  clearFaultsRequest,
  paceRequest,
]);
export type ControlRequest = z.output<typeof controlRequest>;
