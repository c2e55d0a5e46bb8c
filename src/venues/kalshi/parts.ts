/**
 * The parts of Kalshi (`exchange_index`): collateral is kept apart on each, and an order is paid by the part where its market lives.
 * It reads what our account has on them, and whether trading goes on there.
 */
import { z } from 'zod';
import type { RequestBucket } from '../../core/request-budget.ts';
import { systemTicks, type Ticks } from '../../core/time.ts';
import { MICROS_PER_CENT, ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { takerFee } from '../../money/live-plan.ts';
import { type AccountPart, type OrderToPlace, type UnfitOrder, VenueUnknown } from '../port.ts';
import { expectShape } from '../shapes.ts';
import type { KalshiRest } from './rest.ts';
import { GENERAL_FEE } from './series.ts';
import { kalshiAllocation, kalshiBalance, kalshiOneMarket, kalshiStatus } from './shapes.ts';

/** Of a market that names none. */
export const DEFAULT_PART = 0;

type Balance = z.output<typeof kalshiBalance>;
type Status = z.output<typeof kalshiStatus>;

export interface KalshiParts {
  /** Cash of our account on all parts together, with what each has. @throws VenueUnknown */
  balance(): Promise<Balance>;
  /** Cash on one part, in millionths of a dollar. @throws VenueUnknown */
  balanceOn(part: number): Promise<bigint>;
  /** Every part that the exchange names. @throws VenueUnknown */
  all(): Promise<readonly AccountPart[]>;
  /** Of a market, which never moves to another. @throws VenueUnknown, `notTaken`: it is asked before something is sent */
  ofMarket(listingId: string): Promise<number>;
  /** Percent of our cash that the exchange itself keeps on each part; empty if it moves nothing. @throws VenueUnknown */
  allocation(): Promise<ReadonlyMap<number, number>>;
  /** Whether no part takes orders now. @throws VenueUnknown */
  allPaused(): Promise<boolean>;
}

/** @param subaccount of our account; undefined: the primary one */
export function openKalshiParts(venue: string, rest: KalshiRest, subaccount: number | undefined): KalshiParts {
  async function read(part?: number): Promise<Balance> {
    const query = new URLSearchParams({
      ...(subaccount === undefined ? {} : { subaccount: String(subaccount) }),
      ...(part === undefined ? {} : { exchange_index: String(part) }),
    });
    const { body } = await rest.get(`/portfolio/balance${query.size === 0 ? '' : `?${query}`}`);
    return expectShape(venue, 'balance', kalshiBalance, body);
  }

  async function status(): Promise<Status> {
    const { body } = await rest.get('/exchange/status');
    return expectShape(venue, 'status', kalshiStatus, body);
  }

  const partOfMarket = new Map<string, number>();

  async function readPart(listingId: string): Promise<number> {
    try {
      const { status, body } = await rest.get(`/markets/${encodeURIComponent(listingId)}`);
      if (status === 404) {
        // the exchange itself refuses what is sent to a market that is not there
        return DEFAULT_PART;
      }
      return expectShape(venue, 'market', kalshiOneMarket, body).market.exchange_index ?? DEFAULT_PART;
    } catch (cause) {
      throw cause instanceof VenueUnknown ? new VenueUnknown(venue, cause.message, { cause, notTaken: true }) : cause;
    }
  }

  const balanceOn = async (part: number) => (await read(part)).balance_dollars;

  return {
    balance: () => read(),
    balanceOn,
    async ofMarket(listingId) {
      const part = partOfMarket.get(listingId) ?? (await readPart(listingId));
      partOfMarket.set(listingId, part);
      return part;
    },
    async allocation() {
      const { body } = await rest.get('/portfolio/target_balance_allocation');
      const { allocations } = expectShape(venue, 'allocation', kalshiAllocation, body);
      return new Map(allocations.map(({ exchange_index: part, percent }) => [part, percent]));
    },
    async all() {
      const { exchange_index_statuses: statuses } = await status();
      const named = statuses ?? [];
      const { balance_breakdown: breakdown } = await read();
      const cash = new Map(breakdown?.map((one) => [one.exchange_index, one.balance]));
      const parts = [...new Set([...named.map((one) => one.exchange_index), ...cash.keys()])].sort((a, b) => a - b);
      return Promise.all(
        parts.map(async (part) => {
          const state = named.find((one) => one.exchange_index === part);
          return {
            part,
            balanceMicros: breakdown == null ? await balanceOn(part) : (cash.get(part) ?? 0n),
            paused: state !== undefined && !(state.exchange_active && state.trading_active),
          };
        }),
      );
    },
    async allPaused() {
      const { exchange_active: active, trading_active: trading, exchange_index_statuses: statuses } = await status();
      const taking = statuses == null ? trading : statuses.some((one) => one.exchange_active && one.trading_active);
      return !active || !taking;
    },
  };
}

type PlannedOrder = Omit<OrderToPlace, 'expiresAt' | 'prepared'>;

export interface PayableOrders {
  /** @returns null if the part can pay it; its money is then promised to it. @throws VenueUnknown if the balance cannot be read */
  check(order: PlannedOrder): Promise<UnfitOrder | null>;
  /** The exchange has answered to this order, whatever it said. */
  answered(ourId: string): void;
}

/**
 * Whether an order at Kalshi can be paid by the part of the exchange where its market lives. What cannot be paid is not sent.
 */
export function openPayableOrders(parts: KalshiParts): PayableOrders {
  const funds = openPartFunds(systemTicks, parts.balanceOn);

  return {
    async check(order) {
      if (order.action === 'SELL') {
        return null;
      }
      const part = order.part ?? (await parts.ofMarket(order.listingId));
      return (await funds.promise(part, order.ourId, mostItCosts(order))) ? null : { unfit: 'unpaid' };
    },
    answered: funds.answered,
  };
}

/** In whole cents, fee included, in millionths of a dollar: what is matched below the limit costs no more. */
function mostItCosts({ quantityMicros, limitPriceMicros, fee = GENERAL_FEE }: PlannedOrder): bigint {
  const charged = takerFee(fee)(limitPriceMicros, quantityMicros);
  const micros = (quantityMicros * limitPriceMicros + charged) / ONE_DOLLAR_MICROS;
  const cents = (micros + MICROS_PER_CENT - 1n) / MICROS_PER_CENT;
  return cents * MICROS_PER_CENT;
}

// How many requests Kalshi allows our account: token buckets for reads, and for writes of each part; larger in higher
// tiers.

/** A list costs 10 read tokens: a look-up reads the order and its fills twice, a send the fills three times. */
const READ_COSTS = { look_up: 40, cancel: 20, send: 30 };
export const DEFAULT_COST = 10;
export const CANCEL_COST = 2;
const WRITE_COSTS = { cancel: CANCEL_COST, send: DEFAULT_COST };
/** The other read tokens are left to catalogue, books and comparison. */
const READ_SHARE = 0.75;

/** 200 read tokens a second, held for two seconds, and 100 write tokens. */
export const LOWEST_TIER: readonly RequestBucket[] = bucketsOf(
  { refill_rate: 200, bucket_capacity: 400 },
  { refill_rate: 100, bucket_capacity: 100 },
);

const bucket = z.looseObject({ refill_rate: z.int().min(1), bucket_capacity: z.int().min(1) });
type Bucket = z.output<typeof bucket>;
const accountLimits = z.looseObject({ usage_tier: z.string(), read: bucket, write: bucket });

/** @throws VenueUnknown if the exchange does not answer, or the answer does not have the documented shape */
export async function readKalshiLimits(venue: string, rest: KalshiRest): Promise<readonly RequestBucket[]> {
  const { read, write } = await readTier(venue, rest);
  return bucketsOf(read, write);
}

/** One line of what `doctor` says. */
export async function describeTier(venue: string, rest: KalshiRest): Promise<string> {
  const { usage_tier: tier, read, write } = await readTier(venue, rest);
  return `tier ${tier}: ${read.refill_rate} read and ${write.refill_rate} write tokens a second on each part`;
}

async function readTier(venue: string, rest: KalshiRest) {
  const { body } = await rest.get('/account/limits');
  return expectShape(venue, 'limits', accountLimits, body);
}

function bucketsOf(read: Bucket, write: Bucket): readonly RequestBucket[] {
  return [
    {
      perSecond: read.refill_rate * READ_SHARE,
      burst: Math.max(read.bucket_capacity, read.refill_rate) * READ_SHARE,
      costs: READ_COSTS,
    },
    {
      perSecond: write.refill_rate,
      burst: Math.max(write.bucket_capacity, write.refill_rate),
      costs: WRITE_COSTS,
      eachPart: true,
    },
  ];
}

/** Other workers spend from the same account. */
const GOOD_MS = 2_000;
/** Longer than an order may be under way: what was promised and not sent until then is free again. */
const LONGEST_MS = 30_000;

interface Promised {
  readonly ourId: string;
  readonly micros: bigint;
  readonly tick: number;
  /** When the exchange had answered; what it spent is in every balance that was asked for later. */
  answeredTick: number | undefined;
}

interface Reading {
  /** Of the question. */
  readonly tick: number;
  readonly micros: bigint;
}

interface Part {
  promised: Promised[];
  /** The newest. */
  reading: Reading | undefined;
}

export interface PartFunds {
  /** Promises the amount, in millionths of a dollar, if the part has it. @throws VenueUnknown if the balance cannot be read */
  promise(part: number, ourId: string, micros: bigint): Promise<boolean>;
  /** The exchange has answered to this order, whatever it said. */
  answered(ourId: string): void;
}

/**
 * Keeps orders from being sent that their part of the exchange cannot pay. A balance that was read lately serves several orders:
 * what was promised since counts in full against it, as does what was under way when it was read. If it is not enough, it is read again.
 *
 * @param balanceOn cash of our account on a part
 */
export function openPartFunds(ticks: Ticks, balanceOn: (part: number) => Promise<bigint>): PartFunds {
  const parts = new Map<number, Part>();

  function partOf(part: number): Part {
    const known = parts.get(part) ?? { promised: [], reading: undefined };
    parts.set(part, known);
    known.promised = known.promised.filter(({ tick }) => ticks() - tick < LONGEST_MS);
    return known;
  }

  function promiseFrom({ promised }: Part, reading: Reading, ourId: string, micros: bigint): boolean {
    const spent = promised
      .filter((one) => one.ourId !== ourId && (one.answeredTick ?? Number.POSITIVE_INFINITY) >= reading.tick)
      .reduce((sum, one) => sum + one.micros, 0n);
    if (reading.micros - spent < micros) {
      return false;
    }
    const others = promised.filter((one) => one.ourId !== ourId);
    promised.splice(0, promised.length, ...others, { ourId, micros, tick: ticks(), answeredTick: undefined });
    return true;
  }

  return {
    async promise(part, ourId, micros) {
      const { reading: last } = partOf(part);
      const fresh = last !== undefined && ticks() - last.tick < GOOD_MS;
      if (fresh && promiseFrom(partOf(part), last, ourId, micros)) {
        return true;
      }
      const tick = ticks();
      const read = { tick, micros: await balanceOn(part) };
      const known = partOf(part);
      known.reading = known.reading !== undefined && known.reading.tick > tick ? known.reading : read;
      return promiseFrom(known, known.reading, ourId, micros);
    },
    answered(ourId) {
      for (const { promised } of parts.values()) {
        for (const one of promised.filter((each) => each.ourId === ourId)) {
          one.answeredTick = ticks();
        }
      }
    },
  };
}
