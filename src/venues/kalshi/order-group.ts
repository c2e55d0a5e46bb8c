/**
 * An order group of Kalshi as a switch at the exchange itself: all our orders name it, and while it is triggered, or after more
 * contracts than its limit were matched in 15 seconds, the exchange takes none of them. It was created by a person.
 */
import { z } from 'zod';
import type { AccountCheck } from '../account.ts';
import { microsDecimal } from '../decimal.ts';
import { micros } from '../decimal-shape.ts';
import { expectShape, misfit } from '../response-shape.ts';
import type { KalshiRest } from './rest.ts';

const kalshiOrderGroup = z.looseObject({ is_auto_cancel_enabled: z.boolean(), contracts_limit_fp: micros.nullish() });

export interface OrderGroup {
  /** From now on the exchange takes no order of the group. @throws VenueUnknown */
  halt(): Promise<void>;
  /** Orders are taken again. @throws VenueUnknown */
  release(): Promise<void>;
  /** One line of what `doctor` says. */
  inspect(): Promise<AccountCheck>;
}

/** @param subaccount that the group belongs to; undefined: the primary one */
export function openOrderGroup(
  venue: string,
  rest: KalshiRest,
  groupId: string,
  subaccount: number | undefined,
): OrderGroup {
  const path = `/portfolio/order_groups/${encodeURIComponent(groupId)}`;
  const query = subaccount === undefined ? '' : `?subaccount=${subaccount}`;

  async function put(verb: 'trigger' | 'reset'): Promise<void> {
    const { status, body } = await rest.call('PUT', `${path}/${verb}${query}`, { body: {} });
    if (status !== 200) {
      throw misfit(venue, `order group ${verb}`, `status ${status}`, body);
    }
  }

  return {
    halt: () => put('trigger'),
    release: () => put('reset'),
    async inspect() {
      const name = 'order group';
      try {
        const { status, body } = await rest.get(`${path}${query}`);
        if (status === 404) {
          return {
            name,
            ok: false,
            detail: `${groupId} does not exist; set INLAY_KALSHI_ORDER_GROUP to one that does`,
          };
        }
        const { contracts_limit_fp: limit } = expectShape(venue, 'order group', kalshiOrderGroup, body);
        return limit == null
          ? { name, ok: false, warning: true, detail: `${groupId} has no limit of contracts` }
          : { name, ok: true, detail: `at most ${microsDecimal(limit)} contracts in 15 seconds` };
      } catch (error) {
        return { name, ok: false, detail: `the exchange does not say: ${(error as Error).message}` };
      }
    },
  };
}
