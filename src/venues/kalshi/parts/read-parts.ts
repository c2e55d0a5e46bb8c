/**
 * The parts of Kalshi (`exchange_index`): collateral is kept apart on each, and an order is paid by the part where its market lives.
 * It reads what our account has on them, and whether trading goes on there.
 */
import type { z } from 'zod';
import type { AccountPart } from '../../account.ts';
import { VenueUnknown } from '../../port.ts';
import { expectShape } from '../../response-shape.ts';
import { kalshiAllocation, kalshiBalance, kalshiStatus } from '../order-schemas.ts';
import type { KalshiRest } from '../rest.ts';
import { kalshiOneMarket } from '../schemas.ts';

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
