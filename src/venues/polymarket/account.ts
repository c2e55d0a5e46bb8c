/**
 * Our account at Polymarket, for the comparison with our books: the exchange's clock, orders and trades since a moment, positions, cash
 * and what can be redeemed, and a stream that reports which orders have changed.
 */
import { chunksOf } from '../adapter.ts';
import { openReconnectingSocket, type SocketConnection } from '../follow.ts';
import type { Note, Redeemable, VenueAccount, VenueFill, VenueOrder, VenuePosition } from '../port.ts';
import { expectShape, nextPageOf, noteFields, validateItems } from '../shapes.ts';
import {
  type AskData,
  isConfirmed,
  partsOf,
  readFunds,
  readPart,
  readTrades,
  readTransfers,
  type TradePart,
} from './account-lists.ts';
import type { Builder } from './builder.ts';
import { openWitness, resolutionOf } from './catalogue.ts';
import { type Clob, readTime } from './clob.ts';
import { inspectPolymarket, verifyPolymarket } from './doctor.ts';
import { hasEnded } from './orders.ts';
import {
  LAST_PAGE,
  type PolymarketOrder,
  polymarketHoldings,
  polymarketMarket,
  polymarketMarkets,
  polymarketOrders,
  polymarketPositions,
  readUserFrame,
  TOKEN_PARAMETERS,
  tokensOf,
  type UserMessage,
} from './shapes.ts';
import type { MarketTokens, TermsReader } from './trading-terms.ts';

const PAGE = 500;
/** Tokens per request: they are part of the URL, with about 77 digits each. */
const TOKENS_AT_ONCE = 20;
const DOLLAR = 1_000_000n;

/** The reads that `doctor` and settlements need in addition to the account. */
interface Questions {
  readonly builder: Builder | undefined;
  readonly ask: { readonly catalogue: AskData; readonly book: AskData; readonly site: AskData };
}

type Position = ReturnType<typeof polymarketPositions.parse>[number];

/** @param askData reads the host of positions. @param streamUrl origin of the exchange's streams */
export function polymarketAccount(
  venue: string,
  clob: Clob,
  terms: TermsReader,
  askData: AskData,
  streamUrl: string,
  note: Note,
  { builder, ask }: Questions,
) {
  const witness = openWitness(venue, ask.book);

  /** The fill carries the order's hash in place of our id; our books know which order has that hash. */
  async function fillOf(part: TradePart): Promise<VenueFill> {
    return readPart(part, part.orderRef, await terms.of(part.token));
  }

  async function partsSince(since: Date): Promise<TradePart[]> {
    const trades = await readTrades(venue, clob, note, since);
    return trades.filter(isConfirmed).flatMap((trade) => partsOf(trade, clob.wallet.funder()));
  }

  async function openOrders(): Promise<PolymarketOrder[]> {
    const orders: PolymarketOrder[] = [];
    const nextPage = nextPageOf(venue, 'orders', LAST_PAGE);
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = cursor === '' ? '' : `?${new URLSearchParams({ next_cursor: cursor })}`;
      const { body } = await clob.get(`/data/orders${query}`);
      const page = expectShape(venue, 'orders', polymarketOrders, body);
      noteFields(note, 'polymarket-clob', 'OpenOrder', page.data);
      for (const order of page.data) {
        hasEnded(order, note);
      }
      orders.push(...page.data);
      cursor = nextPage(page.next_cursor);
    }
    return orders;
  }

  async function asOrder(
    ref: string,
    head: Pick<PolymarketOrder, 'asset_id' | 'side'>,
    parts: readonly TradePart[],
    open: PolymarketOrder | undefined,
  ): Promise<VenueOrder> {
    const { yes, no } = await terms.of(head.asset_id);
    const fills = await Promise.all(parts.map(fillOf));
    return {
      ourId: ref,
      venueOrderId: ref,
      listingId: yes,
      side: head.asset_id === no ? 'NO' : 'YES',
      action: head.side,
      state: open === undefined ? 'closed' : 'working',
      reason: null,
      quantityMicros: open?.original_size ?? fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n),
      fills,
    };
  }

  /**
   * The holdings of the wallet, including won and lost positions that were not redeemed yet. `OPEN` lists open and won positions,
   * `REDEEMABLE_LOST` lost ones. Without a filter for the amount, the exchange omits positions below a tenth of a share.
   */
  async function held(): Promise<Position[]> {
    const [open, lost] = [await holdingsOf('OPEN'), await holdingsOf('REDEEMABLE_LOST')];
    if (open === undefined || lost === undefined) {
      return heldByOlderApi();
    }
    return [...new Map([...open, ...lost].map((position) => [position.asset, position])).values()];
  }

  /** @returns undefined if the exchange does not have this API */
  async function holdingsOf(status: 'OPEN' | 'REDEEMABLE' | 'REDEEMABLE_LOST'): Promise<Position[] | undefined> {
    const positions: Position[] = [];
    const filters = { user: clob.wallet.funder(), status, filter_amount: '0', include_archived: 'true' };
    const nextPage = nextPageOf(venue, 'positions', '');
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = new URLSearchParams({ ...filters, limit: String(PAGE), ...(cursor === '' ? {} : { cursor }) });
      const { status: answered, body } = await askData(`/v2/positions?${query}`);
      if (answered === 404) {
        return undefined;
      }
      const page = expectShape(venue, 'positions', polymarketHoldings, body);
      positions.push(...page.data);
      cursor = nextPage(page.pagination.next_cursor);
    }
    return positions;
  }

  async function heldByOlderApi(): Promise<Position[]> {
    const positions: Position[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const query = new URLSearchParams({
        user: clob.wallet.funder(),
        sizeThreshold: '0',
        includeArchived: 'true',
        limit: String(PAGE),
        offset: String(offset),
      });
      const { body } = await askData(`/positions?${query}`);
      const page = expectShape(venue, 'positions', polymarketPositions, body);
      positions.push(...page);
      if (page.length < PAGE) {
        return positions;
      }
    }
  }

  /** The exchange may list lost positions as redeemable too; they pay nothing and are left out. */
  async function redeemable(): Promise<Redeemable[]> {
    const listed = (await holdingsOf('REDEEMABLE')) ?? (await heldByOlderApi());
    const paying = listed.filter((position) => position.redeemable && worthOf(position) > 0n);
    const found: Redeemable[] = [];
    for (const position of paying) {
      const market = await marketOf(position);
      if (market !== undefined) {
        found.push({ listingId: market.yes, quantityMicros: position.size, paysMicros: worthOf(position) });
      }
    }
    return found;
  }

  /** Any sender can give the wallet a token of any kind, so a token that belongs to no market is noted and left out. */
  async function marketOf({ asset }: Pick<Position, 'asset'>): Promise<MarketTokens | undefined> {
    const market = await terms.tokensOf(asset);
    if (market === undefined) {
      note('token without a market', asset);
    }
    return market;
  }

  const account = {
    async serverTime() {
      // not signed, so that a key that cannot be read is one failure and not two
      const { body } = await ask.book('/time');
      return readTime(venue, body);
    },
    async ordersSince(since) {
      const [parts, open] = [await partsSince(since), await openOrders()];
      const byOrder = Map.groupBy(parts, ({ orderRef }) => orderRef);
      const traded = [...byOrder].map(([ref, own]) => {
        const head = { asset_id: own[0]?.token ?? '', side: own[0]?.action ?? 'BUY' };
        return asOrder(
          ref,
          head,
          own,
          open.find(({ id }) => id === ref),
        );
      });
      const resting = open.filter(({ id }) => !byOrder.has(id)).map((order) => asOrder(order.id, order, [], order));
      return Promise.all([...traded, ...resting]);
    },
    fillsSince: async (since) => Promise.all((await partsSince(since)).map(fillOf)),
    async positions() {
      const positions: VenuePosition[] = [];
      for (const { asset, size } of await held()) {
        // a resolved position counts until it is redeemed, because our books receive its result a little later
        const yes = size > 0n ? (await marketOf({ asset }))?.yes : undefined;
        if (yes !== undefined) {
          positions.push({ listingId: yes, side: asset === yes ? 'YES' : 'NO', quantityMicros: size });
        }
      }
      return positions;
    },
    transfersSince: (since) => readTransfers(venue, clob.wallet.funder(), askData, since, note),
    follow: (onChange) => followPolymarketAccount(streamUrl, clob, onChange, note),
    balanceMicros: async () => (await readFunds(venue, clob)).balanceMicros,
    redeemable: () => redeemable(),
    /** The redeemer pays as soon as a market is resolved, so a position may be gone before our books have the result. */
    async settledSince(since, among) {
      const settled: string[] = [];
      for (const some of chunksOf(among, TOKENS_AT_ONCE)) {
        for (const parameter of TOKEN_PARAMETERS) {
          const asked = [['limit', String(some.length)], ['closed', 'true'], ...some.map((id) => [parameter, id])];
          const { body } = await ask.catalogue(`/markets/keyset?${new URLSearchParams(asked)}`);
          const { markets } = expectShape(venue, 'markets', polymarketMarkets, body);
          const { good } = validateItems('market', polymarketMarket, markets);
          const winners = await witness.winnersOf(good);
          for (const market of good) {
            const resolution = resolutionOf(market, market.endDate ?? null, winners.get(market.conditionId));
            if (resolution != null && resolution.resolvedAt >= since) {
              settled.push(...(tokensOf(market)?.tokens ?? []));
            }
          }
        }
      }
      return settled;
    },
    redeemableMicros: async () => (await redeemable()).reduce((sum, { paysMicros }) => sum + paysMicros, 0n),
  } satisfies VenueAccount;
  return {
    ...account,
    inspect: () => inspectPolymarket(venue, clob, account, { site: ask.site, builder }),
    verify: () => verifyPolymarket(venue, clob, { ...ask, data: askData }, builder),
  } satisfies VenueAccount;
}

export type PolymarketAccount = ReturnType<typeof polymarketAccount>;

function worthOf({ size, curPrice }: Position): bigint {
  return (size * curPrice) / DOLLAR;
}

const PATH = '/ws/user';
const PROBE_MS = 5_000;
const SILENCE_MS = 16_000;

/**
 * Follows Polymarket's user channel, which pushes our orders and trades. A push only makes a look-up happen earlier. Pushes without a
 * connection are lost, so each new connection triggers a comparison of the account.
 * @param url origin, for example `wss://host`
 * @param onChange receives the hashes of orders that changed, or none if it is not known which
 */
function followPolymarketAccount(
  url: string,
  clob: Pick<Clob, 'credentials'>,
  onChange: (refs: readonly string[]) => void,
  note: Note,
): { close(): void } {
  async function subscribe({ send }: SocketConnection): Promise<void> {
    const { apiKey, secret, passphrase } = await clob.credentials();
    // without a list of markets the subscription covers all of them
    send(JSON.stringify({ auth: { apiKey, secret, passphrase }, type: 'user' }));
    onChange([]);
  }

  return openReconnectingSocket(
    { url: `${url}${PATH}`, probeMs: PROBE_MS, silenceMs: SILENCE_MS, probe: { text: 'PING', answer: 'PONG' } },
    {
      opened(connection) {
        subscribe(connection).catch((error: Error) => connection.drop(error.message));
      },
      received(frame) {
        const read = readUserFrame(frame, note);
        if (read === undefined) {
          return 'a message could not be read';
        }
        const refs = new Set(read.messages.flatMap(ordersOf));
        if (refs.size > 0) {
          onChange([...refs]);
        }
        return null;
      },
      alive: () => undefined,
      ended: () => undefined,
    },
  );
}

function ordersOf(message: UserMessage): string[] {
  const refs =
    message.event_type === 'order'
      ? [message.id]
      : [message.taker_order_id, ...(message.maker_orders ?? []).map(({ order_id: ref }) => ref)];
  return refs.map((ref) => ref.toLowerCase());
}
