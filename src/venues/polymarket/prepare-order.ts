/**
 * Makes an order ready for Polymarket: amounts on the market's grid, the struct, its hash and its signature. The same order of
 * ours is the same order there: salt and time follow from our id.
 */
import { createHash } from 'node:crypto';
import type { Hex } from 'viem';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { OrderToPlace, PreparedOrder, UnfitOrder } from '../order.ts';
import { type OrderStruct, orderHash, signOrder, WALLET, ZERO_WORD } from './sign-order.ts';
import { type TradingTerms, takerFeeOf, tokenOf } from './trading-terms.ts';
import type { Wallet } from './wallet.ts';

/** Shares are ordered in hundredths, dollars in cents. */
const HUNDREDTH = 10_000n;

export type OrderTerms = Omit<OrderToPlace, 'expiresAt' | 'prepared'>;

/** @param apiKey owner of the order. @param builder code of who earns of it */
export async function prepareOrder(
  order: OrderTerms,
  terms: TradingTerms,
  wallet: Wallet,
  apiKey: string,
  builder: Hex = ZERO_WORD,
): Promise<PreparedOrder | UnfitOrder> {
  const amounts = amountsOf(order, terms);
  if ('unfit' in amounts) {
    return amounts;
  }
  const { privateKey, address } = wallet.signer();
  const maker = wallet.funder();
  const struct: OrderStruct = {
    salt: saltOf(order.ourId),
    maker,
    // a deposit wallet signs for itself; its owner's key signs inside
    signer: wallet.signatureType === WALLET.deposit ? maker : address,
    tokenId: tokenOf(terms, order.side),
    ...amounts,
    side: order.action,
    signatureType: wallet.signatureType,
    timestamp: madeMs(order.ourId),
    metadata: ZERO_WORD,
    builder,
  };
  return {
    venueRef: orderHash(struct, terms.contract),
    payload: {
      deferExec: false,
      postOnly: false,
      order: {
        salt: Number(struct.salt),
        maker: struct.maker,
        signer: struct.signer,
        tokenId: struct.tokenId,
        makerAmount: String(struct.makerAmount),
        takerAmount: String(struct.takerAmount),
        side: struct.side,
        signatureType: struct.signatureType,
        timestamp: String(struct.timestamp),
        expiration: '0',
        metadata: struct.metadata,
        builder: struct.builder,
        signature: await signOrder(struct, terms.contract, privateKey),
      },
      owner: apiKey,
      orderType: 'FAK',
    },
  };
}

/** A buy gives dollars in cents for shares at the worst price, a sale gives shares. */
export function amountsOf(
  order: Pick<OrderToPlace, 'action' | 'quantityMicros' | 'limitPriceMicros' | 'spendMicros'>,
  { tickMicros, minimumMicros }: Pick<TradingTerms, 'tickMicros' | 'minimumMicros'>,
): Pick<OrderStruct, 'makerAmount' | 'takerAmount'> | UnfitOrder {
  const { action, quantityMicros, limitPriceMicros } = order;
  if (limitPriceMicros % tickMicros !== 0n) {
    return { unfit: 'off_grid' };
  }
  if (quantityMicros < minimumMicros) {
    return { unfit: 'below_minimum' };
  }
  const step = amountStep(tickMicros);
  if (action === 'SELL') {
    const makerAmount = floor(quantityMicros, HUNDREDTH);
    return { makerAmount, takerAmount: floor((makerAmount * limitPriceMicros) / ONE_DOLLAR_MICROS, step) };
  }
  const spend = order.spendMicros ?? (quantityMicros * limitPriceMicros) / ONE_DOLLAR_MICROS;
  const makerAmount = floor(spend, HUNDREDTH);
  return { makerAmount, takerAmount: floor((makerAmount * ONE_DOLLAR_MICROS) / limitPriceMicros, step) };
}

/** What the order takes of the wallet: dollars and their fee for a buy, shares for a sale. An order that does not fit takes nothing. */
export function neededFor(order: OrderTerms, terms: TradingTerms): bigint {
  const amounts = amountsOf(order, terms);
  if ('unfit' in amounts) {
    return 0n;
  }
  const { makerAmount, takerAmount } = amounts;
  return order.action === 'SELL'
    ? makerAmount
    : makerAmount + takerFeeOf(terms, order.limitPriceMicros, takerAmount).feeMicros;
}

/** Amounts have two decimal places more than prices. */
function amountStep(tickMicros: bigint): bigint {
  const places = String(ONE_DOLLAR_MICROS + tickMicros)
    .slice(1)
    .replace(/0+$/, '').length;
  return 10n ** BigInt(Math.max(0, 4 - places));
}

function floor(value: bigint, step: bigint): bigint {
  return value - (value % step);
}

/** 52 bits of the id's hash: the exchange takes it as a JSON number. */
function saltOf(ourId: string): bigint {
  return BigInt(`0x${createHash('sha256').update(ourId).digest('hex').slice(0, 13)}`);
}

/** Our ids begin with the time at which they were made, in milliseconds. */
export function madeMs(ourId: string): bigint {
  return BigInt(`0x${/^att_([0-9a-f]{12})/.exec(ourId)?.[1] ?? '0'}`);
}
