/**
 * The parts of Kalshi (`exchange_index`): what our account has on each, whether it trades, and which orders it can pay. Each part
 * keeps its own collateral, so an order that the part of its market cannot pay is not sent.
 */
import type { z } from 'zod';
import { systemTicks } from '../../core/time.ts';
import { MICROS_PER_CENT, ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { takerFee } from '../../money/live-plan.ts';
import { notSentYet } from '../adapter.ts';
import type { AccountPart, OrderToPlace, UnfitOrder } from '../port.ts';
import { openPromisedFunds } from '../promised-funds.ts';
import { expectShape } from '../shapes.ts';
import { type KalshiRest, STATUS_PATH, type Subaccount } from './rest.ts';
import { GENERAL_FEE } from './series.ts';
import { kalshiAllocation, kalshiBalance, kalshiOneMarket, kalshiStatus } from './shapes.ts';

/** The part of a market that names none. */
export const DEFAULT_PART = 0;

type Balance = z.output<typeof kalshiBalance>;
type Status = z.output<typeof kalshiStatus>;

export interface KalshiParts {
  /** Cash of our account in total and on each part. @throws VenueUnknown */
  balance(): Promise<Balance>;
  /** Cash on one part, in millionths of a dollar. @throws VenueUnknown */
  balanceOn(part: number): Promise<bigint>;
  /** Every part that the exchange names. @throws VenueUnknown */
  all(): Promise<readonly AccountPart[]>;
  /** The part of a market, which never changes. @throws VenueUnknown with `notTaken`, because it is read before an order is sent */
  ofMarket(listingId: string): Promise<number>;
  /** By part, the percentage of our cash that the exchange itself keeps there; empty if it moves nothing. @throws VenueUnknown */
  allocation(): Promise<ReadonlyMap<number, number>>;
  /** Whether no part accepts orders now. @throws VenueUnknown */
  allPaused(): Promise<boolean>;
}

export function openKalshiParts(venue: string, rest: KalshiRest, subaccount: Subaccount): KalshiParts {
  async function read(part?: number): Promise<Balance> {
    const query = new URLSearchParams({
      subaccount: String(await subaccount()),
      ...(part === undefined ? {} : { exchange_index: String(part) }),
    });
    const { body } = await rest.get(`/portfolio/balance?${query}`);
    return expectShape(venue, 'balance', kalshiBalance, body);
  }

  async function status(): Promise<Status> {
    const { body } = await rest.get(STATUS_PATH);
    return expectShape(venue, 'status', kalshiStatus, body);
  }

  const partOfMarket = new Map<string, number>();

  async function readPart(listingId: string): Promise<number> {
    const { status, body } = await rest.get(`/markets/${encodeURIComponent(listingId)}`);
    if (status === 404) {
      // the exchange refuses an order for a market that does not exist
      return DEFAULT_PART;
    }
    return expectShape(venue, 'market', kalshiOneMarket, body).market.exchange_index ?? DEFAULT_PART;
  }

  const balanceOn = async (part: number) => (await read(part)).balance_dollars;

  return {
    balance: () => read(),
    balanceOn,
    async ofMarket(listingId) {
      const part = partOfMarket.get(listingId) ?? (await notSentYet(venue, () => readPart(listingId)));
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

interface PayableOrders {
  /**
   * Reserves the cost of the order on its part.
   * @returns null if the part can pay it
   * @throws VenueUnknown if the balance cannot be read
   */
  check(order: PlannedOrder): Promise<UnfitOrder | null>;
  /** Must be called once the exchange has responded to the order, whatever the response. */
  answered(ourId: string): void;
}

/** Checks whether an order can be paid by the part of its market. A sale needs no money. */
export function openPayableOrders(parts: KalshiParts): PayableOrders {
  const funds = openPromisedFunds(systemTicks, (part) => parts.balanceOn(Number(part)));

  return {
    async check(order) {
      if (order.action === 'SELL') {
        return null;
      }
      const part = order.part ?? (await parts.ofMarket(order.listingId));
      return (await funds.promise(String(part), order.ourId, mostItCosts(order))) ? null : { unfit: 'unpaid' };
    },
    answered: funds.answered,
  };
}

/** The cost at the limit price with the fee, rounded up to whole cents, in millionths of a dollar. A better price costs no more. */
function mostItCosts({ quantityMicros, limitPriceMicros, fee = GENERAL_FEE }: PlannedOrder): bigint {
  const charged = takerFee(fee)(limitPriceMicros, quantityMicros);
  const micros = (quantityMicros * limitPriceMicros + charged) / ONE_DOLLAR_MICROS;
  const cents = (micros + MICROS_PER_CENT - 1n) / MICROS_PER_CENT;
  return cents * MICROS_PER_CENT;
}
