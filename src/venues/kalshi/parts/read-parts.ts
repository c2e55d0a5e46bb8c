/**
 * The parts of Kalshi (`exchange_index`): collateral is kept apart on each, and an order is paid by the part where its market lives.
 * It reads what our account has on them, and whether trading goes on there.
 */
import type { z } from 'zod';
import type { AccountPart } from '../../account.ts';
import { expectShape } from '../../response-shape.ts';
import { kalshiBalance, kalshiStatus } from '../order-schemas.ts';
import type { KalshiRest } from '../rest.ts';

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

  const balanceOn = async (part: number) => (await read(part)).balance_dollars;

  return {
    balance: () => read(),
    balanceOn,
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
