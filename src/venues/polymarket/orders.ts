/**
 * Our orders at Polymarket: prepared and signed, placed, looked up and cancelled. An order takes what it finds up to its worst price and
 * leaves nothing on the book (`FAK`). Its id there is its hash, which is known before it is sent. Only confirmed trades fill it.
 */
import { createHash } from 'node:crypto';
import type { Hex } from 'viem';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { madeMs, PLACE_TIMEOUT_MS, searchFromMs, sentAlready } from '../adapter.ts';
import {
  type FoundOrder,
  type MayWrite,
  type Note,
  type OrderToPlace,
  type PlaceAnswer,
  type PreparedOrder,
  type SentOrder,
  type UnfitOrder,
  type Venue,
  type VenueFill,
  type VenueOrder,
  VenueUnknown,
} from '../port.ts';
import { expectShape, misfit } from '../shapes.ts';
import { isConfirmed, isFinal, isWhole, openPayableFunds, partsOf, readPart, readTrades } from './account-lists.ts';
import type { Clob } from './clob.ts';
import {
  type PolymarketOrder,
  type PolymarketSent,
  type PolymarketTrade,
  polymarketOrder,
  polymarketRefusal,
  polymarketSent,
} from './shapes.ts';
import { type OrderStruct, orderHash, signOrder, WALLET, type Wallet, ZERO_WORD } from './sign.ts';
import {
  type MarketTokens,
  type TermsReader,
  type TradingTerms,
  takerFeeOf,
  tokenOf,
  withFeeTerms,
  writeFeeTerms,
} from './trading-terms.ts';

const WORKING: ReadonlySet<string> = new Set(['LIVE', 'DELAYED', 'UNMATCHED']);
const ENDED: ReadonlySet<string> = new Set(['MATCHED', 'CANCELED', 'CANCELED_MARKET_RESOLVED', 'INVALID']);

export type PolymarketOrderSide = Required<
  Pick<Venue, 'prepareOrder' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'>
>;

/** @param builder code that every order names */
export function polymarketOrderSide(
  venue: string,
  clob: Clob,
  terms: TermsReader,
  note: Note,
  builder?: Hex,
): PolymarketOrderSide {
  const funds = openPayableFunds(venue, clob);

  async function placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer> {
    const { prepared } = order;
    if (prepared === undefined) {
      throw new VenueUnknown(venue, 'the order was not prepared', { notTaken: true });
    }
    const { status, body } = await clob.call('POST', '/order', {
      body: prepared.payload,
      mayWrite,
      timeoutMs: PLACE_TIMEOUT_MS,
    });
    funds.answered(order.ourId);
    const decision = decisionOf(status, body);
    if (decision.unknown !== undefined) {
      note('answer to an order', `${status} ${wordsOf(decision.unknown)}`.trim());
    }
    if (decision.says === 'rejected') {
      if (decision.reason === WRONG_WALLET) {
        note('INLAY_POLYMARKET_SIGNATURE_TYPE and INLAY_POLYMARKET_FUNDER', 'an order was not signed for the wallet');
      }
      return { outcome: 'rejected', reason: decision.reason, order: null };
    }
    if (decision.says === 'duplicate') {
      // the same order was taken before, so its state is the answer
      const found = await sentAlready(venue, () => findOrder(order.ourId, { ...order, ...prepared }));
      if (found.outcome === 'found') {
        return { outcome: 'accepted', order: found.order };
      }
      throw misfit(venue, 'order', 'a duplicate that cannot be found', body);
    }
    if (decision.says === 'nothing') {
      throw misfit(venue, 'order', `status ${status}`, body);
    }
    if (decision.ref !== prepared.venueRef) {
      throw misfit(venue, 'order', 'another order than the one sent', body);
    }
    return { outcome: 'accepted', order: asSent(order, prepared.venueRef) };
  }

  function refOf(ourId: string, sent: SentOrder | undefined): { readonly ref: string; readonly sent: SentOrder } {
    if (sent?.venueRef === undefined) {
      throw new VenueUnknown(venue, `${ourId} has no reference of the venue, so it cannot be looked up`);
    }
    return { ref: sent.venueRef, sent };
  }

  const termsOf = async ({ listingId, terms: own }: SentOrder) => withFeeTerms(venue, await terms.of(listingId), own);

  async function tradesOf(
    ourId: string,
    ref: string,
    { conditionId }: MarketTokens,
    sentAt: Date | undefined,
  ): Promise<PolymarketTrade[]> {
    const since = new Date(searchFromMs(ourId, sentAt));
    return (await readTrades(venue, clob, note, since, conditionId)).filter((trade) => trade.taker_order_id === ref);
  }

  function fillsOf(ourId: string, trades: readonly PolymarketTrade[], of: TradingTerms): VenueFill[] {
    return trades
      .filter(isConfirmed)
      .flatMap((trade) => partsOf(trade, clob.wallet.funder()))
      .map((part) => readPart(part, ourId, of));
  }

  async function readOrder(ref: string): Promise<PolymarketOrder | undefined> {
    const { status, body } = await clob.get(`/data/order/${encodeURIComponent(ref)}`);
    if (status !== 404) {
      return body === null ? undefined : expectShape(venue, 'order', polymarketOrder, body);
    }
    // a 404 without this text comes from a gateway and proves nothing about the order
    if (!/order not found/i.test(polymarketRefusal.safeParse(body).data?.error ?? '')) {
      throw misfit(venue, 'order', 'status 404', body);
    }
    return undefined;
  }

  async function findOrder(ourId: string, asked?: SentOrder): Promise<FoundOrder> {
    const { ref, sent } = refOf(ourId, asked);
    const of = await termsOf(sent);
    const order = await readOrder(ref);
    const trades = await tradesOf(ourId, ref, of, sent.sentAt);
    const [first] = trades;
    const head = order ?? (first && { asset_id: first.asset_id, side: first.side });
    if (head === undefined) {
      return { outcome: 'not_found' };
    }
    const fills = fillsOf(ourId, trades, of);
    const matched = trades.reduce((sum, trade) => sum + trade.size, 0n);
    const state = stateOf(order, trades, matched, fills, note);
    return {
      outcome: 'found',
      order: {
        ourId,
        venueOrderId: ref,
        ...placeOf(head.asset_id, of),
        action: head.side,
        state,
        reason: state === 'rejected' ? 'invalid' : null,
        quantityMicros: order?.original_size ?? matched,
        fills,
      },
    };
  }

  return {
    async prepareOrder(order) {
      const [of, { apiKey }] = [await terms.of(order.listingId), await clob.credentials()];
      const prepared = await prepareOrder(order, of, clob.wallet, apiKey, builder);
      if ('unfit' in prepared) {
        return prepared;
      }
      const token = order.action === 'SELL' ? tokenOf(of, order.side) : undefined;
      const payable = await funds.canPay(order.ourId, neededFor(order, of), of.contract, token);
      return payable ? prepared : { unfit: 'unpaid' };
    },
    placeOrder,
    findOrder,
    async fills(ourId, asked) {
      const { ref, sent } = refOf(ourId, asked);
      const of = await termsOf(sent);
      return fillsOf(ourId, await tradesOf(ourId, ref, of, sent.sentAt), of);
    },
    async cancelOrder(ourId, asked) {
      const { ref } = refOf(ourId, asked);
      const order = await readOrder(ref);
      if (order !== undefined && !hasEnded(order, note)) {
        // the response does not matter: the order is looked up afterwards either way
        await clob.call('DELETE', '/order', { body: { orderID: ref } });
      }
      return findOrder(ourId, asked);
    },
  };
}

/** An order with an unknown status has not ended: it may still fill. */
export function hasEnded({ status }: PolymarketOrder, note: Note): boolean {
  if (!WORKING.has(status) && !ENDED.has(status)) {
    note('order status', status);
  }
  return ENDED.has(status);
}

/** The order stays open until each of its trades is listed and either confirmed or failed. A failed trade fills nothing. */
function stateOf(
  order: PolymarketOrder | undefined,
  trades: readonly PolymarketTrade[],
  matched: bigint,
  fills: readonly VenueFill[],
  note: Note,
): VenueOrder['state'] {
  const known = new Set(trades.map(({ id }) => id));
  const complete =
    order === undefined ||
    (hasEnded(order, note) &&
      matched >= order.size_matched &&
      (order.associate_trades ?? []).every((id) => known.has(id)));
  if (!complete || !trades.every((trade) => isFinal(trade) && isWhole(trade))) {
    return 'working';
  }
  return order?.status === 'INVALID' && fills.length === 0 ? 'rejected' : 'closed';
}

/** A token that does not belong to the listing is reported as a listing of its own, which then contradicts the order that was sent. */
function placeOf(token: string, { yes, no }: MarketTokens): Pick<VenueOrder, 'listingId' | 'side'> {
  return token === no ? { listingId: yes, side: 'NO' } : { listingId: token, side: 'YES' };
}

/** An order that was just taken has no fills, because its trades are not confirmed yet. */
function asSent(order: OrderToPlace, venueOrderId: string): VenueOrder {
  const { ourId, listingId, side, action, quantityMicros } = order;
  return { ourId, venueOrderId, listingId, side, action, quantityMicros, state: 'working', reason: null, fills: [] };
}

/** Shares are ordered in hundredths, dollars in cents; micros. */
const HUNDREDTH = 10_000n;

type OrderTerms = Omit<OrderToPlace, 'expiresAt' | 'prepared'>;

/**
 * Signs an order with amounts on the market's grid. Salt and time follow from our id, so preparing it again gives the same order with
 * the same hash.
 *
 * @param apiKey owner of the order
 * @param builder code that earns a fee from it
 * @returns the reason if it does not fit the market
 */
async function prepareOrder(
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
    // a deposit wallet is the signer itself; its owner's key signs within the wallet's signature
    signer: wallet.signatureType === WALLET.deposit ? maker : address,
    tokenId: tokenOf(terms, order.side),
    ...amounts,
    side: order.action,
    signatureType: wallet.signatureType,
    timestamp: BigInt(madeMs(order.ourId) ?? 0),
    metadata: ZERO_WORD,
    builder,
  };
  return {
    venueRef: orderHash(struct, terms.contract),
    terms: writeFeeTerms(terms),
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

/** A buy gives dollars, in whole cents, for shares at the worst price. A sale gives shares for dollars. */
function amountsOf(
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

/**
 * The funds that an order needs in the wallet: dollars with their fee for a buy, shares for a sale, in micros. 0 for an order that does not
 * fit.
 */
function neededFor(order: OrderTerms, terms: TradingTerms): bigint {
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

/** 52 bits of the id's hash, because the exchange reads the salt as a JSON number. */
function saltOf(ourId: string): bigint {
  return BigInt(`0x${createHash('sha256').update(ourId).digest('hex').slice(0, 13)}`);
}

/** The decision of a response to the sending of an order. `unknown` is a text that this release does not know. */
type Decision = { readonly unknown?: string } & (
  | { readonly says: 'accepted'; readonly ref: string | undefined }
  | { readonly says: 'rejected'; readonly reason: string }
  | { readonly says: 'duplicate' }
  | { readonly says: 'nothing' }
);

function decisionOf(status: number, body: unknown): Decision {
  const sent = polymarketSent.safeParse(body).data;
  const refused = refusalIn(status, body, sent);
  if (refused === undefined) {
    return status === 200 && sent?.success === true && !sent.errorMsg
      ? { says: 'accepted', ref: sent.orderID?.toLowerCase() }
      : { says: 'nothing', unknown: sent?.errorMsg || (sent?.status ?? '') };
  }
  const { text, final } = refused;
  if (DUPLICATE.test(text)) {
    return { says: 'duplicate' };
  }
  if (UNDECIDED.test(text)) {
    return { says: 'nothing' };
  }
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1];
  if (reason !== undefined) {
    return { says: 'rejected', reason };
  }
  return final ? { says: 'rejected', reason: 'refused', unknown: text } : { says: 'nothing', unknown: text };
}

/** @returns the text of a refusal, and whether its form refuses whatever the text; undefined if the response is not a refusal */
function refusalIn(
  status: number,
  body: unknown,
  sent: PolymarketSent | undefined,
): { readonly text: string; readonly final: boolean } | undefined {
  const refusal = status === 400 ? polymarketRefusal.safeParse(body).data : undefined;
  if (refusal !== undefined) {
    return { text: refusal.error, final: true };
  }
  // an error beside a state in which the exchange has the order contradicts itself
  if (sent === undefined || TAKEN.has(sent.status ?? '')) {
    return undefined;
  }
  // some refusals are called a success
  const text = sent.errorMsg || (sent.status === 'unmatched' ? sent.status : '');
  return sent.success ? (status === 200 && text !== '' ? { text, final: true } : undefined) : { text, final: false };
}

/** States of an order that the exchange has. */
const TAKEN: ReadonlySet<string> = new Set(['live', 'matched', 'delayed']);

/** The kind of wallet, its address or the API key does not fit the key that signs. */
const WRONG_WALLET = 'invalid_signature';

/** Texts of refusals. They become short codes, because they contain addresses and amounts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^not enough balance \/ allowance/, 'insufficient_balance'],
  [/^order \S+ is invalid\. Price .*minimum tick size/, 'price_off_grid'],
  [/^order \S+ is invalid\. Size .*lower than the minimum/, 'below_minimum'],
  [/^invalid amount for a marketable BUY order/, 'below_minimum'],
  [/^invalid amounts,/, 'invalid_order'],
  [/^no orders found to match with FAK order/, 'nothing_to_match'],
  [/^(order couldn't be fully filled\.|unmatched$)/, 'nothing_to_match'],
  [/^(order \S+ crosses the book|invalid post-only order: order crosses book)/, 'crosses_book'],
  [/^the market is not yet ready to process new orders/, 'market_not_open'],
  [/^the orderbook \S+ does not exist/, 'market_not_open'],
  [/^(\S+ )?address (banned|in closed only mode)/, 'account_restricted'],
  [/^(maker address not allowed|invalid (POLY_1271 )?signature)/, WRONG_WALLET],
  [
    /^the order (owner has to be the owner|(signer|maker) address (has to be|is not) the address) of the API KEY/,
    WRONG_WALLET,
  ],
  [/^invalid expiration/, 'expired'],
  [/^(post-only mode|Trading is currently)/, 'venue_unavailable'],
  [/^(Invalid order payload|order_version_mismatch)/, 'invalid_order'],
];

/** The exchange already has the same order. */
const DUPLICATE = /duplicate/i;

/** Texts by which the order waits, or its execution failed half way. They decide nothing in any form. */
const UNDECIDED =
  /order match delayed|error delaying the order|could not (run the execution|insert order)|ORDER_DELAYED|DELAYING_ORDER_ERROR|EXECUTION_ERROR/;

/** The text without its addresses and amounts, so that the same refusal is noted under the same word. */
const wordsOf = (text: string): string => text.replace(/0x[0-9a-f]+|[0-9][0-9.,]*/gi, '#');
