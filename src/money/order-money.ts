/** The money of an order as the operator reads it, by the state of the order (contract chapters 11 and 12). Pure. */
import type { Action, OrderStatus, TransmissionState } from '../core/terms.ts';
import { nothingBooked, operatorExitMoney, operatorMoney } from './blocks.ts';

/** Cents of the parts that a read shows. */
export interface OrderMoney {
  readonly action: Action;
  readonly status: OrderStatus;
  readonly transmissionState: TransmissionState;
  readonly authorizationMinor: bigint;
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly venueFeeKnown: boolean;
}

/** Money of fills, cents: the difference of two cumulatives. */
export interface FillMoney {
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

/** Contract 12.16. */
export function settlementState(order: Pick<OrderMoney, 'status' | 'transmissionState'>): 'settled' | 'pending' {
  switch (order.status) {
    case 'filled':
    case 'rejected':
    case 'cancelled':
      return 'settled';
    case 'partially_filled':
      return order.transmissionState === 'resolved' ? 'settled' : 'pending';
    default:
      return 'pending';
  }
}

/** The block of a buy; null on a sell. Unresolved, rejected and cancelled orders read as nothing booked (contract 11.11). */
export function orderMoneyBlock(order: OrderMoney) {
  if (order.action === 'sell') {
    return null;
  }
  if (settlementState(order) === 'pending') {
    return nothingBooked(order.authorizationMinor, false);
  }
  return operatorMoney({
    authorizationMinor: order.authorizationMinor,
    tradeMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
    venueFeeKnown: order.venueFeeKnown,
  });
}

/** The block of a sell: the fills whose venue fee is known (contract 13.12); null on a buy. */
export function orderExitMoneyBlock(order: OrderMoney) {
  if (order.action === 'buy') {
    return null;
  }
  return operatorExitMoney({
    notionalMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
    venueFeeKnown: order.venueFeeKnown,
  });
}
