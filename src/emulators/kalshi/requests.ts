/** The requests that the emulated exchange accepts, checked as strictly as the exchange's own description requires, and those of the control route. */
import { z } from 'zod';
import { decimalMicros } from '../../venues/shapes.ts';
import { clearFaultsRequest, commonFaults, faultRequest, paceRequest, randomFaultsRequest } from '../faults.ts';
import { type Account, ARCHIVED_LISTS } from './state.ts';

const amount = (places: number) =>
  z.string().transform((text, context) => {
    const value = decimalMicros(text);
    const decimals = text.split('.')[1]?.replace(/0+$/, '').length ?? 0;
    if (value === undefined || decimals > places) {
      context.addIssue({ code: 'custom', message: `not a decimal with at most ${places} places` });
      return z.NEVER;
    }
    return value;
  });

export interface Asked {
  readonly method: string;
  /** Without `/trade-api/v2`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Language of the texts in the response; English if undefined. */
  readonly language?: 'es' | 'pt' | undefined;
  /** Undefined if the request carries no valid signature. */
  readonly account: { readonly keyId: string; readonly account: Account } | undefined;
}

/** `CreateOrderV2Request`. */
export const orderRequest = z.strictObject({
  ticker: z.string().min(1),
  side: z.enum(['bid', 'ask']),
  count: amount(2),
  price: z
    .string()
    .regex(/\.\d{2,4}$/, 'price has two to four decimal places')
    .pipe(amount(4)),
  time_in_force: z.enum(['fill_or_kill', 'good_till_canceled', 'immediate_or_cancel']),
  self_trade_prevention_type: z.enum(['taker_at_cross', 'maker']),
  client_order_id: z
    .string()
    .regex(/^[A-Za-z0-9+=_:/-]{1,64}$/)
    .optional(),
  expiration_time: z.int().optional(),
  post_only: z.boolean().optional(),
  reduce_only: z.boolean().optional(),
  cancel_order_on_pause: z.boolean().optional(),
  subaccount: z.int().min(0).max(63).optional(),
  order_group_id: z.string().optional(),
  exchange_index: z.int().optional(),
});

/** `CreateOrderGroupRequest` and `UpdateOrderGroupLimitRequest`. */
export const groupRequest = z.strictObject({
  subaccount: z.int().min(0).max(63).optional(),
  contracts_limit: z.int().min(1).optional(),
  contracts_limit_fp: amount(2).optional(),
  exchange_index: z.int().min(0).optional(),
});

/** `SetTargetBalanceAllocationRequest`: the percentages add up to 100, or there are none. */
export const allocationRequest = z.strictObject({
  allocations: z
    .array(z.strictObject({ exchange_index: z.int().min(0), percent: z.int().min(0).max(100) }))
    .max(101)
    .refine((all) => all.length === 0 || all.reduce((sum, { percent }) => sum + percent, 0) === 100, 'not 100 percent'),
});

const level = z.tuple([amount(4), amount(2)]).transform(([price, count]) => ({ price, count }));
const time = z.iso.datetime().transform((text) => new Date(text));

/** Commands of the stream. */
export const streamCommand = z.discriminatedUnion('cmd', [
  z.looseObject({
    id: z.int(),
    cmd: z.literal('subscribe'),
    params: z.looseObject({ channels: z.array(z.string()).min(1), market_tickers: z.array(z.string()).optional() }),
  }),
  z.looseObject({
    id: z.int(),
    cmd: z.literal('update_subscription'),
    params: z.looseObject({
      sids: z.array(z.int()).length(1),
      market_tickers: z.array(z.string()).min(1),
      action: z.enum(['add_markets', 'delete_markets']),
    }),
  }),
]);

const part = z.int().min(0).max(3);

/** Requests to the control route. */
export const controlRequest = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('key'),
    keyId: z.string().min(1),
    publicKey: z.string().min(1),
    cash: amount(6),
    scopes: z.array(z.string()).optional(),
    /** Restricts the key to one subaccount. */
    lockedTo: z.int().min(0).max(63).optional(),
    regionExpiresAt: time.optional(),
  }),
  z.strictObject({
    do: z.literal('market'),
    ticker: z.string().min(1),
    eventTicker: z.string().min(1),
    title: z.string().min(1),
    rules: z.string().default('Resolves by the source.'),
    closeTime: time,
    /** Part of the exchange whose collateral pays its orders. */
    exchangeIndex: part.optional(),
    tick: amount(4).optional(),
    /** Ids of targets by their kinds, such as `baseball_team`. */
    customStrike: z.record(z.string(), z.string()).optional(),
  }),
  /** A team or a player, with the address of a picture. */
  z.strictObject({
    do: z.literal('target'),
    id: z.string().min(1),
    name: z.string().min(1),
    type: z.string().min(1),
    imageUrl: z.string().nullable().default(null),
  }),
  z.strictObject({
    do: z.literal('book'),
    ticker: z.string().min(1),
    yes: z.array(level),
    no: z.array(level),
  }),
  z.strictObject({
    do: z.literal('status'),
    ticker: z.string().min(1),
    status: z.enum(['initialized', 'active', 'inactive', 'closed', 'determined', 'disputed', 'amended', 'finalized']),
    result: z.enum(['', 'yes', 'no', 'scalar']).optional(),
    settlementValue: amount(4).optional(),
    closeTime: time.optional(),
  }),
  z.strictObject({
    do: z.literal('terms'),
    ticker: z.string().min(1),
    tick: amount(4).optional(),
    feeWaivedUntil: time.optional(),
    settlementFloor: amount(4).optional(),
  }),
  z.strictObject({
    do: z.literal('series'),
    ticker: z.string().min(1),
    category: z.string().optional(),
    categories: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    feeType: z.string().optional(),
    feeMultiplier: z.number().min(0).optional(),
  }),
  /** Terms of an event that override those of its series. A term that is left out is not overridden. */
  z.strictObject({
    do: z.literal('event'),
    eventTicker: z.string().min(1),
    category: z.string().optional(),
    feeType: z.string().optional(),
    feeMultiplier: z.number().min(0).optional(),
  }),
  /** Announces a fee of a series or an event. For an event, null removes its own fee. */
  z.strictObject({
    do: z.literal('fee_change'),
    ticker: z.string().min(1),
    feeType: z.string().nullable(),
    feeMultiplier: z.number().min(0).nullable(),
    at: time,
  }),
  z.strictObject({ do: z.literal('vanish'), ticker: z.string().min(1), vanished: z.boolean().default(true) }),
  /** Pauses or resumes trading on one part, or without `exchangeIndex` on all of them. */
  z.strictObject({ do: z.literal('trading'), active: z.boolean(), exchangeIndex: part.optional() }),
  /** Stops or resumes the read side: while it is stale, orders, fills, positions and balances are returned as they were. */
  z.strictObject({ do: z.literal('reads'), stale: z.boolean() }),
  /** Returns refusals in the recorded form, or in the form of the exchange's documents. */
  z.strictObject({ do: z.literal('refusals'), form: z.enum(['nested', 'flat']) }),
  /** Sets the cash of an account on one part of the exchange. */
  z.strictObject({ do: z.literal('part_balance'), keyId: z.string(), exchangeIndex: part, cash: amount(6) }),
  /** Pays amounts that no list contains, such as interest, on part 0. */
  z.strictObject({ do: z.literal('pay'), keyId: z.string(), amount: amount(6) }),
  /** Pays money in or out of the primary account, on part 0, and lists it. */
  z.strictObject({
    do: z.enum(['deposit', 'withdrawal']),
    keyId: z.string(),
    id: z.string().min(1),
    amount: amount(2),
    fee: amount(2).default(0n),
    status: z.enum(['pending', 'applied', 'failed', 'returned']).default('applied'),
  }),
  /** Moves entries that ended before this date to the historical lists. */
  z.strictObject({
    do: z.literal('archive'),
    before: time,
    /** All of them if undefined. */
    lists: z.array(z.enum(ARCHIVED_LISTS)).optional(),
  }),
  z.strictObject({
    do: z.literal('tier'),
    name: z.string().min(1),
    readPerSecond: z.int().min(1),
    writePerSecond: z.int().min(1),
    writeBurst: z.int().min(1).optional(),
    /** Whether writes beyond the limit are refused. */
    enforced: z.boolean().optional(),
  }),
  /** Makes an order group. `contracts` may be matched in 15 seconds. */
  z.strictObject({
    do: z.literal('order_group'),
    keyId: z.string(),
    subaccount: z.int().min(0).max(63).optional(),
    id: z.string().min(1),
    exchangeIndex: part.default(0),
    contracts: amount(2),
  }),
  z.strictObject({ do: z.literal('subaccount'), keyId: z.string(), number: z.int().min(1).max(63), cash: amount(6) }),
  z.strictObject({ do: z.literal('clock'), aheadMs: z.int() }),
  z.strictObject({
    do: z.literal('stream'),
    fault: z.enum(['gap', 'crossed', 'disconnect', 'silence', 'garbage', 'busy', 'already', 'internal']),
  }),
  /** Sends a message on the lifecycle channel, numbered with the others. */
  z.strictObject({ do: z.literal('stream_say'), message: z.looseObject({ type: z.string(), msg: z.looseObject({}) }) }),
  /** Limits the markets of one subscription, silences markets, and sets whether a refusal names its market. */
  z.strictObject({
    do: z.literal('stream_limits'),
    mostMarkets: z.int().min(1).optional(),
    silent: z.array(z.string()).default([]),
    namesMarket: z.boolean().default(true),
  }),
  /** Disturbs a share of the fills that the stream reports from now on. */
  z.strictObject({
    do: z.literal('fill_reports'),
    fault: z.enum(['lie', 'double', 'reorder', 'drop']),
    share: z.number().min(0).max(1),
  }),
  faultRequest(z.discriminatedUnion('kind', commonFaults(amount(2)))),
  randomFaultsRequest,
  clearFaultsRequest,
  paceRequest,
]);
export type ControlRequest = z.output<typeof controlRequest>;
