/**
 * The paths of the order book that need a signature: credentials, orders, trades and the balance. An order is checked as the exchange
 * would check it, and matched now or after its delay; only `FAK` orders are taken.
 */
import { DOLLAR } from '../../exchange/ladder.ts';
import { NEG_RISK_ADAPTER } from '../../venues/polymarket/account-lists.ts';
import {
  EXCHANGE,
  EXCHANGE_V3,
  NEG_RISK_EXCHANGE,
  type OrderStruct,
  orderHash,
  WALLET,
} from '../../venues/polymarket/sign.ts';
import { microsDecimal } from '../../venues/shapes.ts';
import { type Answer, ok } from '../emulator.ts';
import type { Fault } from '../faults.ts';
import type { Seeded } from '../seeded-ids.ts';
import { builderFeeOf, costOfTrade, type Ids, matchOrder, takerFee } from './match-order.ts';
import { contractOf, priceOf, renderOrder, renderTrade } from './render.ts';
import { cancelRequest, type SendOrder, sendOrder } from './requests.ts';
import { type Account, type Credentials, type ExchangeState, type Market, marketOfToken, type Order } from './state.ts';
import { type Caller, callerOf, type ReceivedRequest, signatureFault, walletOf } from './verify.ts';

/** A request to any path of the exchange. */
export interface Asked extends ReceivedRequest {
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly now: Date;
}

export function invalid(error: string): Answer {
  return { status: 400, body: { error } };
}

const PAGE = 100;
const LAST_PAGE = 'LTE=';
const UNAUTHORIZED: Answer = { status: 401, body: { error: 'Unauthorized/Invalid api key' } };
const RESTRICTED: Answer = {
  status: 403,
  body: { error: 'Trading restricted in your region, please refer to available regions' },
};
const SHUT: Readonly<Record<string, object>> = {
  cancel_only: { error: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.' },
  disabled: { error: 'Trading is currently disabled. Check polymarket.com for updates' },
  post_only: {
    error: 'post-only mode: only post-only orders and cancels are allowed',
    code: 'post_only_mode',
    retry_after_seconds: 2,
  },
};

/** Makes or derives API credentials for a request that a wallet signed (level 1). */
export async function credentialRoutes(state: ExchangeState, asked: Asked, ids: Seeded): Promise<Answer> {
  const proved = await walletOf(state, asked, asked.now);
  if (proved === undefined) {
    return { status: 401, body: { error: 'Invalid L1 Request headers' } };
  }
  const { account, address } = proved;
  const kept = address === account.signer ? 'credentials' : 'walletCredentials';
  if (asked.method === 'GET') {
    return account[kept] === null ? invalid('Could not derive api key!') : ok(account[kept]);
  }
  account[kept] ??= { apiKey: ids.next(), secret: `${ids.secret()}=`, passphrase: ids.word().slice(2) };
  return ok(account[kept]);
}

/** Responds to a request that is signed with API credentials (level 2). */
export async function tradingRoutes(
  state: ExchangeState,
  asked: Asked,
  ids: Seeded,
  fault: Fault | undefined,
): Promise<Answer> {
  const caller = callerOf(state, asked, asked.now);
  if (caller === undefined) {
    return UNAUTHORIZED;
  }
  const { account } = caller;
  const { method, path, query } = asked;
  if (path === '/order') {
    const { headers, refusal } = countRequest(state, account, method === 'POST' ? 'orders' : 'cancels', asked.now);
    const answered =
      refusal ?? (method === 'POST' ? await post(state, caller, asked, ids, fault) : cancel(account, asked.body));
    return { headers, ...answered };
  }
  if (path === '/auth/ban-status/closed-only') {
    return ok({ closed_only: account.closedOnly });
  }
  if (path === '/v1/user/rate-limit-tier') {
    return ok({ tier: state.limits.tier });
  }
  if (path.startsWith('/data/order/')) {
    const order = account.orders.get(path.slice('/data/order/'.length));
    return order === undefined ? { status: 404, body: { error: 'Order not found' } } : ok(renderOrder(order, account));
  }
  if (path === '/data/orders') {
    const open = [...account.orders.values()].filter(({ status }) => status === 'LIVE' || status === 'DELAYED');
    return page(
      open.map((order) => renderOrder(order, account)),
      query,
    );
  }
  if (path === '/data/trades') {
    const after = Number(query.get('after') ?? 0) * 1_000;
    const own = (query.get('maker_address') ?? account.funder).toLowerCase() === account.funder;
    const found = account.trades
      .filter(({ at }) => own && at.getTime() >= after)
      .filter(({ id }) => (query.get('id') ?? id) === id)
      .filter(({ market }) => (query.get('market') ?? market.conditionId) === market.conditionId)
      .reverse();
    return page(
      found.map((trade) => renderTrade(trade, account)),
      query,
    );
  }
  if (path === '/balance-allowance') {
    const token = query.get('token_id');
    const held = token === null ? account.cash : sharesOf(state, account, token, query.get('asset_type'));
    const allowances = {
      ...Object.fromEntries([EXCHANGE, NEG_RISK_EXCHANGE, EXCHANGE_V3].map((one) => [one, String(account.allowance)])),
      [NEG_RISK_ADAPTER]: String(account.adapterAllowance),
    };
    return ok({ balance: String(held), allowances });
  }
  if (path === '/balance-allowance/update') {
    account.linked ||= query.get('signature_type') === String(WALLET.deposit);
    return ok('');
  }
  return { status: 404, body: { error: 'not found' } };
}

/**
 * Counts the orders and cancellations of a signer. In its warning mode the exchange accepts one beyond the limit, with a warning.
 *
 * @returns the headers of the response that report the limit, and the refusal if the request is not accepted
 */
function countRequest(
  { limits }: ExchangeState,
  account: Account,
  kind: 'orders' | 'cancels',
  now: Date,
): { readonly headers: Readonly<Record<string, string>>; readonly refusal: Answer | undefined } {
  const { perSecond, atOnce } = limits[kind];
  const known = account.counted[kind] ?? { left: atOnce, at: now.getTime() };
  const left = Math.min(atOnce, known.left + ((now.getTime() - known.at) / 1_000) * perSecond) - 1;
  const beyond = left < 0;
  const refused = beyond && limits.enforced;
  // a refused request costs nothing
  account.counted[kind] = { left: refused ? left + 1 : left, at: now.getTime() };
  // after the last one, the second in which the next one comes; a response that leaves more names the current second
  const waitS = beyond ? -left / perSecond : left < 1 ? (1 - left) / perSecond : 0;
  const reset = Math.ceil(now.getTime() / 1_000 + waitS);
  const headers = {
    'poly-ratelimit-remaining': String(Math.floor(left)),
    'poly-ratelimit-reset': String(reset),
    'poly-ratelimit-tier': limits.tier,
    ...(beyond && !refused ? { 'poly-ratelimit-warning': 'true' } : {}),
  };
  const wait = { ...headers, 'retry-after': String(Math.max(1, reset - Math.floor(now.getTime() / 1_000))) };
  return {
    headers,
    refusal: refused ? { status: 429, body: { error: 'Too Many Requests' }, headers: wait } : undefined,
  };
}

async function post(
  state: ExchangeState,
  caller: Caller,
  asked: Asked,
  ids: Seeded,
  fault: Fault | undefined,
): Promise<Answer> {
  if (state.trading === 'restricted') {
    return RESTRICTED;
  }
  const shut = SHUT[state.trading];
  if (shut !== undefined) {
    return { status: 503, body: shut };
  }
  const parsed = sendOrder.safeParse(asked.body);
  if (!parsed.success) {
    return invalid('Invalid order payload');
  }
  const taken = await takeOrder(state, caller, parsed.data, asked.now, ids, fault);
  return 'error' in taken ? invalid(taken.error) : ok(answerOf(taken.order, caller.account));
}

type Taken = { readonly order: Order } | { readonly error: string };

async function takeOrder(
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
    return { error: `the orderbook ${struct.tokenId} does not exist` };
  }
  const hash = orderHash(struct, contractOf(market));
  const forged = await signatureFault(struct, contractOf(market), signature, account);
  // no await from here to the match, so that no other order comes in between
  const error =
    ownerFault(sent, credentials) ??
    forged ??
    keyFault(struct, account, address) ??
    (account.closedOnly && struct.side === 'BUY' ? `'${account.funder}' address in closed only mode` : null) ??
    (account.orders.has(hash) ? `order ${hash} is invalid. Duplicated.` : null) ??
    marketFault(market, struct.tokenId) ??
    amountFault(hash, struct, market) ??
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
  // other types would rest on the book, which the emulator does not keep for orders of its clients
  return sent.orderType === 'FAK' && !sent.postOnly ? null : 'the emulator takes FAK orders only';
}

/** Why the API key is not the one that an order of a deposit wallet needs; null if it is. */
function keyFault({ signatureType }: OrderStruct, account: Account, address: string): string | null {
  const { apiKeyBinding, linked } = account;
  const known = apiKeyBinding === 'owner' || (apiKeyBinding === 'owner_after_update' && linked);
  return signatureType !== WALLET.deposit || known || address === account.funder
    ? null
    : 'the order signer address has to be the address of the API KEY';
}

function marketFault({ closed, acceptingOrders }: Market, token: string): string | null {
  if (closed) {
    return `the orderbook ${token} does not exist`;
  }
  return acceptingOrders ? null : 'the market is not yet ready to process new orders';
}

const CENT = 10_000n;

function amountFault(hash: string, struct: OrderStruct, market: Market): string | null {
  const { side, makerAmount, takerAmount } = struct;
  if (makerAmount <= 0n || takerAmount <= 0n) {
    return 'Invalid order payload';
  }
  const places = String(DOLLAR + market.tick)
    .slice(1)
    .replace(/0+$/, '').length;
  const amountStep = 10n ** BigInt(Math.max(0, 4 - places));
  if (makerAmount % CENT !== 0n || takerAmount % amountStep !== 0n) {
    return `invalid amounts, the market ${side === 'BUY' ? 'buy' : 'sell'} orders maker amount supports a max accuracy of 2 decimals, taker amount a max of ${places + 2} decimals`;
  }
  const price = priceOf(struct);
  const steps = (price + market.tick / 2n) / market.tick;
  const off = price - steps * market.tick;
  // amounts are rounded, so their price may be a little off the tick
  if (steps <= 0n || steps * market.tick >= DOLLAR || off > 100n || off < -100n) {
    return `order ${hash} is invalid. Price (${price}) breaks minimum tick size rule: ${market.tick}`;
  }
  const size = side === 'BUY' ? takerAmount : makerAmount;
  if (side === 'BUY' && makerAmount < DOLLAR) {
    return `invalid amount for a marketable BUY order ($${microsDecimal(makerAmount)}), min size: $1`;
  }
  if (size < market.minimum) {
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

/** The response has the matched part of each amount: a buy gives dollars for shares, a sale shares for dollars. */
function answerOf(order: Order, account: Account): object {
  const delayed = order.status === 'DELAYED';
  const trades = account.trades.filter(({ orderHash }) => orderHash === order.hash);
  const dollars = trades.reduce((sum, trade) => sum + costOfTrade(trade), 0n);
  const [making, taking] = order.side === 'BUY' ? [dollars, order.matched] : [order.matched, dollars];
  return {
    success: true,
    errorMsg: '',
    orderID: order.hash,
    status: delayed ? 'delayed' : 'matched',
    makingAmount: delayed ? '' : microsDecimal(making),
    takingAmount: delayed ? '' : microsDecimal(taking),
    ...(delayed ? {} : { tradeIDs: order.trades }),
  };
}

function cancel(account: Account, body: unknown): Answer {
  const parsed = cancelRequest.safeParse(body);
  if (!parsed.success) {
    return invalid('Invalid orderID');
  }
  const { orderID } = parsed.data;
  const order = account.orders.get(orderID);
  if (order?.status !== 'LIVE') {
    return ok({ canceled: [], not_canceled: { [orderID]: 'Order not found or already canceled' } });
  }
  order.status = 'CANCELED';
  return ok({ canceled: [orderID], not_canceled: {} });
}

/** A page with the cursor at which the next one begins, in base64. */
function page(items: readonly object[], query: URLSearchParams): Answer {
  const cursor = query.get('next_cursor');
  const from = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64').toString()) || 0;
  const data = items.slice(from, from + PAGE);
  const next = from + PAGE;
  return ok({
    limit: PAGE,
    count: data.length,
    next_cursor: next < items.length ? Buffer.from(String(next)).toString('base64') : LAST_PAGE,
    data,
  });
}

/** Shares of the second version have an asset type of their own. */
function sharesOf(state: ExchangeState, account: Account, token: string, assetType: string | null): bigint {
  const type = marketOfToken(state, token)?.protocol === 'v2' ? 'CONDITIONAL-V2' : 'CONDITIONAL';
  return assetType === type ? (account.shares.get(token) ?? 0n) : 0n;
}
