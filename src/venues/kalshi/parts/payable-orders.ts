/** Whether an order at Kalshi can be paid by the part of the exchange where its market lives. What cannot be paid is not sent. */
import { systemTicks } from '../../../core/clock.ts';
import { takerFee } from '../../../money/live-plan.ts';
import { MICROS_PER_CENT, ONE_DOLLAR_MICROS } from '../../../money/units.ts';
import type { OrderToPlace, UnfitOrder } from '../../order.ts';
import { expectShape } from '../../response-shape.ts';
import { GENERAL_FEE } from '../fees.ts';
import type { KalshiRest } from '../rest.ts';
import { kalshiOneMarket } from '../schemas.ts';
import { openPartFunds } from './part-funds.ts';
import { DEFAULT_PART, openKalshiParts } from './read-parts.ts';

type PlannedOrder = Omit<OrderToPlace, 'expiresAt' | 'prepared'>;

export interface PayableOrders {
  /** @returns null if the part can pay it; its money is then promised to it. @throws VenueUnknown if the balance cannot be read */
  check(order: PlannedOrder): Promise<UnfitOrder | null>;
  /** The exchange has answered to this order, whatever it said. */
  answered(ourId: string): void;
}

/** @param subaccount of our account; undefined: the primary one */
export function openPayableOrders(venue: string, rest: KalshiRest, subaccount: number | undefined): PayableOrders {
  const parts = openKalshiParts(venue, rest, subaccount);
  const funds = openPartFunds(systemTicks, parts.balanceOn);

  async function readPart(listingId: string): Promise<number> {
    const { body } = await rest.get(`/markets/${encodeURIComponent(listingId)}`);
    return expectShape(venue, 'market', kalshiOneMarket, body).market.exchange_index ?? DEFAULT_PART;
  }

  return {
    async check(order) {
      if (order.action === 'SELL') {
        return null;
      }
      const part = order.part ?? (await readPart(order.listingId));
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
