/**
 * Order groups of Kalshi as a switch at the exchange itself: orders of a part name its group, and while that is triggered, or after more
 * contracts than its limit were matched in 15 seconds, the exchange takes none of them. A group lives on one part and does nothing on
 * another. They were created by a person.
 */
import { z } from 'zod';
import type { AccountCheck } from '../account.ts';
import { microsDecimal } from '../decimal.ts';
import { micros } from '../decimal-shape.ts';
import { expectShape, misfit } from '../response-shape.ts';
import type { KalshiRest } from './rest.ts';

const kalshiOrderGroup = z.looseObject({ is_auto_cancel_enabled: z.boolean(), contracts_limit_fp: micros.nullish() });

export interface OrderGroups {
  /** From now on the exchange takes no order of the groups. All are turned, whatever one answers. @throws VenueUnknown */
  halt(): Promise<void>;
  /** Orders are taken again. @throws VenueUnknown */
  release(): Promise<void>;
  /** What `doctor` says of each group, and of parts that have none. */
  inspect(parts: readonly number[]): Promise<readonly AccountCheck[]>;
}

/**
 * @param groups the id of the group of each part
 * @param subaccount that the groups belong to; undefined: the primary one
 */
export function openOrderGroups(
  venue: string,
  rest: KalshiRest,
  groups: ReadonlyMap<number, string>,
  subaccount: number | undefined,
): OrderGroups {
  function pathOf(part: number, groupId: string, verb = ''): string {
    const query = new URLSearchParams({
      exchange_index: String(part),
      ...(subaccount === undefined ? {} : { subaccount: String(subaccount) }),
    });
    return `/portfolio/order_groups/${encodeURIComponent(groupId)}${verb}?${query}`;
  }

  async function put(verb: 'trigger' | 'reset'): Promise<void> {
    const turned = await Promise.allSettled(
      [...groups].map(async ([part, groupId]) => {
        const { status, body } = await rest.call('PUT', pathOf(part, groupId, `/${verb}`), { body: {} });
        if (status !== 200) {
          throw misfit(venue, `order group ${verb}`, `status ${status}`, body);
        }
      }),
    );
    for (const one of turned) {
      if (one.status === 'rejected') {
        throw one.reason;
      }
    }
  }

  async function check(part: number, groupId: string): Promise<AccountCheck> {
    const name = groups.size === 1 ? 'order group' : `order group of part ${part}`;
    try {
      const { status, body } = await rest.get(pathOf(part, groupId));
      if (status === 404) {
        const detail = `${groupId} does not exist on part ${part}; set INLAY_KALSHI_ORDER_GROUP to one that does`;
        return { name, ok: false, detail };
      }
      const { contracts_limit_fp: limit } = expectShape(venue, 'order group', kalshiOrderGroup, body);
      return limit == null
        ? { name, ok: false, warning: true, detail: `${groupId} has no limit of contracts` }
        : { name, ok: true, detail: `at most ${microsDecimal(limit)} contracts in 15 seconds` };
    } catch (error) {
      return { name, ok: false, detail: `the exchange does not say: ${(error as Error).message}` };
    }
  }

  return {
    halt: () => put('trigger'),
    release: () => put('reset'),
    async inspect(parts) {
      const checks = await Promise.all([...groups].map(([part, groupId]) => check(part, groupId)));
      const without = parts.filter((part) => !groups.has(part));
      if (without.length === 0) {
        return checks;
      }
      const detail = `orders on ${without.length === 1 ? 'part' : 'parts'} ${without.join(', ')} name no order group`;
      return [...checks, { name: 'order groups', ok: false, warning: true, detail }];
    },
  };
}
