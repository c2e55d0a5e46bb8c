/**
 * Our account at Gemini, as the port reads it: the exchange's clock, orders and fills since a moment, positions, settled listings, cash
 * and transfers.
 */
import type { GeminiSettings } from '../../core/venue-settings.ts';
import {
  type Note,
  type VenueAccount,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
  type VenueTransfer,
  VenueUnknown,
} from '../port.ts';
import { expectShape } from '../shapes.ts';
import { openGeminiStream } from './books.ts';
import { inspectGemini, verifyGemini } from './doctor.ts';
import { asVenueOrder, fillsOf, type GeminiLists, ourIdOf, readTrades } from './orders.ts';
import type { GeminiRest } from './rest.ts';
import { type GeminiTrade, geminiBalances, geminiPositions, geminiSettled, geminiTransfers } from './shapes.ts';

const POSITIONS_PATH = '/v1/prediction-markets/positions';
const SETTLED_PATH = '/v1/prediction-markets/positions/settled';
const SETTLED_PAGE = 1_000;
const BALANCES_PATH = '/v1/balances';
const TRANSFERS_PATH = '/v1/transfers';
/** The longest list that the exchange gives. */
const MOST_TRANSFERS = 50;
const FORBIDDEN = 403;

export function geminiAccount(
  venue: string,
  rest: GeminiRest,
  lists: GeminiLists,
  note: Note,
  { streamUrl, keyId, url }: Pick<GeminiSettings, 'streamUrl' | 'keyId' | 'url'>,
): VenueAccount {
  async function balanceMicros(): Promise<bigint> {
    const body = await rest.ask(BALANCES_PATH);
    const dollars = expectShape(venue, 'balances', geminiBalances, body).find(({ currency }) => currency === 'USD');
    // an account that never had dollars lists no balance of them
    return dollars?.available ?? 0n;
  }

  async function ordersSince(since: Date): Promise<VenueOrder[]> {
    const orders = await lists.ordersSince(since);
    // an order that ended since then may have been filled before
    const first = Math.min(since.getTime(), ...orders.map(({ createdAt }) => createdAt.getTime()));
    const raw = orders.some(({ filledQuantity }) => filledQuantity > 0n)
      ? await lists.tradesSince(new Date(first))
      : [];
    // only trades of our orders, and of orders without a sender, must be readable
    const ours = new Set(
      orders.filter((one) => !one.clientOrderId || ourIdOf(one) !== undefined).map(({ orderId }) => orderId),
    );
    const trades = Map.groupBy(
      readTrades(venue, raw, (orderId) => ours.has(orderId)),
      (trade) => trade.order_id,
    );
    return orders.map((order) => {
      const ourId = ourIdOf(order) ?? order.orderId;
      return asVenueOrder(order, ourId, fillsOf(order, trades.get(order.orderId) ?? [], ourId, note), note);
    });
  }

  const account = {
    serverTime: () => rest.serverTime(),
    ordersSince,
    async fillsSince(since) {
      // the orders are read after the trades, so that every trade has its order
      const raw = await lists.tradesSince(since);
      const orders = await ordersSince(since);
      const known = new Set(orders.map(({ venueOrderId }) => venueOrderId));
      const fills = orders.flatMap((order) => order.fills).filter(({ occurredAt }) => occurredAt >= since);
      const others = readTrades(venue, raw, () => false);
      return [...fills, ...others.filter(({ order_id: orderId }) => !known.has(orderId)).map(foreignFill)];
    },
    async positions() {
      const { positions } = expectShape(venue, 'positions', geminiPositions, await rest.ask(POSITIONS_PATH));
      const net = Map.groupBy(positions, ({ symbol }) => symbol);
      return [...net].flatMap(([listingId, sides]): VenuePosition[] => {
        const held = sides.reduce(
          (sum, { outcome, totalQuantity }) => (outcome === 'yes' ? sum + totalQuantity : sum - totalQuantity),
          0n,
        );
        return held === 0n
          ? []
          : [{ listingId, side: held > 0n ? 'YES' : 'NO', quantityMicros: held > 0n ? held : -held }];
      });
    },
    balanceMicros,
    transfersSince: (since) => readTransfers(venue, rest, since, note),
    async settledSince(since) {
      const settled: string[] = [];
      for (let offset = 0; ; offset += SETTLED_PAGE) {
        const body = await rest.ask(SETTLED_PATH, {}, { query: `?limit=${SETTLED_PAGE}&offset=${offset}` });
        const { positions } = expectShape(venue, 'settled positions', geminiSettled, body);
        const recent = positions.filter(({ settledAt }) => settledAt >= since);
        settled.push(...recent.map(({ instrumentSymbol }) => instrumentSymbol));
        // the newest positions come first
        if (positions.length < SETTLED_PAGE || recent.length === 0) {
          return [...new Set(settled)];
        }
      }
    },
    follow: (onChange) =>
      openGeminiStream(
        { url: streamUrl, headers: () => rest.handshake() },
        {
          opened: (connection) => connection.send('SUBSCRIBE', ['orders@account']),
          message: (message) => {
            if (message.kind === 'order') {
              const known = ourIdOf(message) ?? message.orderId;
              onChange(known === undefined ? [] : [known]);
            }
          },
          alive: () => undefined,
          ended: () => undefined,
          invalid: () => undefined,
          note,
        },
      ),
  } satisfies VenueAccount;
  return {
    ...account,
    inspect: () => inspectGemini(venue, rest, account, keyId ?? '', url),
    verify: () => verifyGemini(venue, rest, lists, streamUrl),
  };
}

/** A fill of an order that is in no list belongs to an order that we do not know. */
function foreignFill(trade: GeminiTrade): VenueFill {
  return {
    fillId: trade.tid,
    ourId: trade.order_id,
    listingId: trade.symbol ?? '',
    quantityMicros: trade.amount,
    priceMicros: trade.price,
    feeMicros: null,
    occurredAt: new Date(trade.timestampms),
  };
}

const MOVES: Readonly<Record<string, VenueTransfer['kind']>> = {
  Deposit: 'deposit',
  Withdrawal: 'withdrawal',
  Reward: 'reward',
};
/** A deposit may be advanced before the bank has completed it. */
const IN_BALANCE: ReadonlySet<string> = new Set(['Complete', 'Advanced']);

/**
 * Cash paid in or out in dollars. The exchange lists the newest 50 since a time.
 * @returns an empty list if the key lacks the role that reads them; the payments are then an unexplained surplus
 * @throws VenueUnknown
 */
async function readTransfers(venue: string, rest: GeminiRest, since: Date, note: Note): Promise<VenueTransfer[]> {
  const asked = { currency: 'usd', timestamp: Math.floor(since.getTime() / 1_000), limit_transfers: MOST_TRANSFERS };
  let body: unknown;
  try {
    body = await rest.ask(TRANSFERS_PATH, asked);
  } catch (error) {
    if (error instanceof VenueUnknown && error.status === FORBIDDEN) {
      note('transfers', 'the key may not read them');
      return [];
    }
    throw error;
  }
  return expectShape(venue, 'transfers', geminiTransfers, body).flatMap((one): VenueTransfer[] => {
    const kind = MOVES[one.type];
    if (kind === undefined) {
      note('type of a transfer', one.type);
    }
    if (kind === undefined || one.currency.toUpperCase() !== 'USD') {
      return [];
    }
    const fee = one.feeCurrency?.toUpperCase() === 'USD' ? (one.feeAmount ?? 0n) : 0n;
    const amountMicros = (kind === 'withdrawal' ? -one.amount : one.amount) - fee;
    return [{ id: one.eid, kind, amountMicros, at: new Date(one.timestampms), pending: !IN_BALANCE.has(one.status) }];
  });
}
