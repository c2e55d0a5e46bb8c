/** Whether an order at Kalshi can be paid by the part of the exchange where its market lives. What cannot be paid is not sent. */
import { systemTicks } from '../../../core/time.ts';
import { MICROS_PER_CENT, ONE_DOLLAR_MICROS } from '../../../money/decimal.ts';
import { takerFee } from '../../../money/live-plan.ts';
import type { OrderToPlace, UnfitOrder } from '../../order.ts';
import { GENERAL_FEE } from '../fees.ts';
import { openPartFunds } from './part-funds.ts';
import type { KalshiParts } from './read-parts.ts';

type PlannedOrder = Omit<OrderToPlace, 'expiresAt' | 'prepared'>;

export interface PayableOrders {
  /** @returns null if the part can pay it; its money is then promised to it. @throws VenueUnknown if the balance cannot be read */
  check(order: PlannedOrder): Promise<UnfitOrder | null>;
  /** The exchange has answered to this order, whatever it said. */
  answered(ourId: string): void;
}

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
