/** Takes an order at the emulated exchange: checks it as the exchange would, and matches it now or after its delay. */
import { type OrderStruct, orderHash, WALLET } from '../../venues/polymarket/sign.ts';
import type { Fault } from '../faults.ts';
import { builderFeeOf, type Ids, matchOrder, takerFee } from './match-order.ts';
import { contractOf, priceOf } from './render.ts';
import type { SendOrder } from './requests.ts';
import {
  type Account,
  type Credentials,
  DOLLAR,
  type ExchangeState,
  type Market,
  marketOfToken,
  type Order,
} from './state.ts';
import { type Caller, signatureFault } from './verify.ts';

const CENT = 10_000n;

export type Taken = { readonly order: Order } | { readonly error: string };

export async function takeOrder(
  state: ExchangeState,
  { account, credentials, address }: Caller,
  sent: SendOrder,
  now: Date,
  ids: Ids,
  fault: Fault | undefined,
): Promise<Taken> {
  const { signature, expiration: _, ...struct } = sent.order;
  const market = marketOfToken(state, struct.tokenId);
  if (market === undefined) {
    return { error: 'the orderbook for this token does not exist' };
  }
  const hash = orderHash(struct, contractOf(market));
  const forged = await signatureFault(struct, contractOf(market), signature, account);
  // nothing is awaited from here to the match
  const error =
    ownerFault(sent, credentials) ??
    forged ??
    keyFault(struct, account, address) ??
    (account.orders.has(hash) ? `order ${hash} is invalid. Duplicated.` : null) ??
    marketFault(market) ??
    amountFault(hash, struct, market, sent.orderType) ??
    fundsFault(state, struct, market, account);
  if (error !== null) {
    return { error };
  }
  const order: Order = {
    hash,
    market,
    token: struct.tokenId,
    side: struct.side,
    makerAmount: struct.makerAmount,
    takerAmount: struct.takerAmount,
    type: sent.orderType,
    createdAt: now,
    matched: 0n,
    status: fault?.kind === 'delayed' ? 'DELAYED' : 'LIVE',
    trades: [],
    matchesAt: now.getTime() + (fault?.kind === 'delayed' ? fault.ms : 0),
    mostCount: fault?.kind === 'partial' ? fault.count : undefined,
    tradesFail: fault?.kind === 'trade_fails',
    builder: struct.builder,
  };
  if (order.status === 'LIVE') {
    matchOrder(state, account, order, now, ids);
    if (order.matched === 0n) {
      return {
        error:
          'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      };
    }
  }
  account.orders.set(hash, order);
  return { order };
}

function ownerFault(sent: SendOrder, { apiKey }: Credentials): string | null {
  if (sent.owner !== apiKey) {
    return 'the order owner has to be the owner of the API KEY';
  }
  // others would rest on the book, which the emulator does not keep for orders of its clients
  return sent.orderType === 'FAK' && !sent.postOnly ? null : 'the emulator takes FAK orders only';
}

/** Whose API key an order of a deposit wallet needs. */
function keyFault({ signatureType }: OrderStruct, account: Account, address: string): string | null {
  const { apiKeyBinding, linked } = account;
  const known = apiKeyBinding === 'owner' || (apiKeyBinding === 'owner_after_update' && linked);
  return signatureType !== WALLET.deposit || known || address === account.funder
    ? null
    : 'the order signer address has to be the address of the API KEY';
}

function marketFault({ closed, acceptingOrders }: Market): string | null {
  return closed || !acceptingOrders ? 'the market is not yet ready to process new orders' : null;
}

function amountFault(hash: string, struct: OrderStruct, market: Market, type: string): string | null {
  const { side, makerAmount, takerAmount } = struct;
  if (makerAmount <= 0n || takerAmount <= 0n) {
    return 'Invalid order payload';
  }
  const places = String(DOLLAR + market.tick)
    .slice(1)
    .replace(/0+$/, '').length;
  const amountStep = 10n ** BigInt(Math.max(0, 4 - places));
  if (makerAmount % CENT !== 0n || takerAmount % amountStep !== 0n) {
    return `invalid amounts, the ${type} orders maker amount supports a max accuracy of 2 decimals, taker amount a max of ${places + 2} decimals`;
  }
  const price = priceOf(struct);
  const steps = (price + market.tick / 2n) / market.tick;
  const off = price - steps * market.tick;
  // amounts are rounded, so the price that they make may be a little off its tick
  if (steps <= 0n || steps * market.tick >= DOLLAR || off > 100n || off < -100n) {
    return `order ${hash} is invalid. Price (${price}) breaks minimum tick size rule: ${market.tick}`;
  }
  const size = side === 'BUY' ? takerAmount : makerAmount;
  if (size < market.minimum || (side === 'BUY' && makerAmount < DOLLAR)) {
    return `order ${hash} is invalid. Size (${size}) lower than the minimum: ${market.minimum}`;
  }
  return null;
}

function fundsFault(state: ExchangeState, struct: OrderStruct, market: Market, account: Account): string | null {
  const { side, makerAmount, takerAmount, tokenId } = struct;
  const [price, bps] = [priceOf(struct), state.builders.get(struct.builder) ?? 0n];
  const fee = takerFee(market.feeRate, price, takerAmount) + builderFeeOf(bps, price, takerAmount);
  const needed = side === 'BUY' ? makerAmount + fee : makerAmount;
  const held = side === 'BUY' ? account.cash : (account.shares.get(tokenId) ?? 0n);
  const allowed =
    side === 'BUY' && market.negRisk && account.adapterAllowance < account.allowance
      ? account.adapterAllowance
      : account.allowance;
  return held < needed || allowed < needed
    ? `not enough balance / allowance: the balance is not enough -> balance: ${held}`
    : null;
}
