/**
 * Money blocks: the exact strings that an operator books from, made of cents, for quotes, orders, fills, exits and
 * settlements. It refuses to print a block whose identities fail, which it checks by a second path than the one that
 * decided the amounts. Pure.
 */
import type { Action, OrderStatus, TransmissionState } from '../core/terms.ts';
import { addsUp, CURRENCY, formatMinor } from './usd.ts';

export interface OperatorMoney {
  currency: 'USD';
  authorizationAmount: string;
  actualDebit: string;
  releaseAmount: string;
  tradeAmount: string;
  platformFee: string;
  venueFee: string;
  venueFeeKnown: boolean;
}

export interface OperatorExitMoney {
  currency: 'USD';
  sellProceeds: string;
  platformFee: string;
  venueFee: string;
  venueFeeKnown: boolean;
}

export interface SettlementMoney {
  currency: 'USD';
  settlementCredit: string;
  voidCredit: string;
}

/** Block of a buy from its parts; debit and release follow from them. */
export function operatorMoney(parts: {
  readonly authorizationMinor: bigint;
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly venueFeeKnown: boolean;
}): OperatorMoney {
  const { authorizationMinor, tradeMinor, platformFeeMinor, venueFeeMinor } = parts;
  const debit = tradeMinor + platformFeeMinor + venueFeeMinor;
  const release = authorizationMinor - debit;
  const held =
    addsUp(debit, [tradeMinor, platformFeeMinor, venueFeeMinor]) && addsUp(authorizationMinor, [debit, release]);
  if (!held || release < 0n || tradeMinor < 0n || platformFeeMinor < 0n || venueFeeMinor < 0n) {
    throw new RangeError('a buy never takes more than its authorization');
  }
  return {
    currency: CURRENCY,
    authorizationAmount: formatMinor(authorizationMinor),
    actualDebit: formatMinor(debit),
    releaseAmount: formatMinor(release),
    tradeAmount: formatMinor(tradeMinor),
    platformFee: formatMinor(platformFeeMinor),
    venueFee: formatMinor(venueFeeMinor),
    venueFeeKnown: parts.venueFeeKnown,
  };
}

/** Block of a buy quote: the whole stake is the debit, the venue's fee is not known yet. */
export function quoteMoney(quote: { stakeMinor: bigint; platformFeeMinor: bigint; tradeMinor: bigint }): OperatorMoney {
  const { stakeMinor: authorizationMinor, platformFeeMinor, tradeMinor } = quote;
  return operatorMoney({ authorizationMinor, tradeMinor, platformFeeMinor, venueFeeMinor: 0n, venueFeeKnown: false });
}

/**
 * Block of an order with nothing to book: unresolved (fee unknown), or rejected and cancelled (fee known to be zero). The whole
 * authorization is shown as release (contract 11.11); on an unresolved order that is not an instruction.
 */
export function nothingBooked(authorizationMinor: bigint, venueFeeKnown: boolean): OperatorMoney {
  const none = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
  return operatorMoney({ authorizationMinor, ...none, venueFeeKnown });
}

/** Block of an exit; proceeds are already net of both fees. */
export function operatorExitMoney(parts: {
  readonly notionalMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly venueFeeKnown: boolean;
}): OperatorExitMoney {
  const { notionalMinor, platformFeeMinor, venueFeeMinor } = parts;
  const proceeds = notionalMinor - platformFeeMinor - venueFeeMinor;
  const held = addsUp(notionalMinor, [proceeds, platformFeeMinor, venueFeeMinor]);
  if (!held || proceeds < 0n || platformFeeMinor < 0n || venueFeeMinor < 0n) {
    throw new RangeError('an exit never debits');
  }
  return {
    currency: CURRENCY,
    sellProceeds: formatMinor(proceeds),
    platformFee: formatMinor(platformFeeMinor),
    venueFee: formatMinor(venueFeeMinor),
    venueFeeKnown: parts.venueFeeKnown,
  };
}

/** Block of one fill of an exit: the part that it adds to the order's money. A fee may fall with a later fill, proceeds never do. */
export function fillExitMoney(parts: {
  readonly proceedsMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}): OperatorExitMoney {
  return {
    currency: CURRENCY,
    sellProceeds: formatMinor(parts.proceedsMinor),
    platformFee: formatMinor(parts.platformFeeMinor),
    venueFee: formatMinor(parts.venueFeeMinor),
    venueFeeKnown: true,
  };
}

/** Block of a settlement: at most one credit is above zero. */
export function settlementMoney(credit: { settlementCreditMinor: bigint; voidCreditMinor: bigint }): SettlementMoney {
  const { settlementCreditMinor, voidCreditMinor } = credit;
  const negative = settlementCreditMinor < 0n || voidCreditMinor < 0n;
  if (negative || (settlementCreditMinor > 0n && voidCreditMinor > 0n)) {
    throw new RangeError('one credit at most');
  }
  return {
    currency: CURRENCY,
    settlementCredit: formatMinor(settlementCreditMinor),
    voidCredit: formatMinor(voidCreditMinor),
  };
}

/** The state of an order and its amounts in cents, from which its blocks follow (contract chapters 11 and 12). */
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

/** Cents that the fills of a buy take, fees included; 0 for a sell. */
export const debitOf = ({ action, tradeMinor, platformFeeMinor, venueFeeMinor }: OrderCharge): bigint =>
  action === 'buy' ? tradeMinor + platformFeeMinor + venueFeeMinor : 0n;

/** Cents that the fills of a sell bring, after fees; 0 for a buy. */
export const proceedsOf = ({ action, tradeMinor, platformFeeMinor, venueFeeMinor }: OrderCharge): bigint =>
  action === 'sell' ? tradeMinor - platformFeeMinor - venueFeeMinor : 0n;

type OrderCharge = Pick<OrderMoney, 'action' | 'tradeMinor' | 'platformFeeMinor' | 'venueFeeMinor'>;

/** Money of fills in cents: the difference of two running totals. */
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

/** The block of a buy; null on a sell. Unresolved, rejected and cancelled orders show that nothing was booked (contract 11.11). */
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
