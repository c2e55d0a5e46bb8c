/**
 * Polymarket as the port defines it: the catalogue from Gamma, books from the host of the order book, and, if the deployment has a key,
 * orders and our account. Without a key it is read only, and the code that signs is never loaded. Hosts come only from configuration.
 */
import type { RequestBucket } from '../../core/request-budget.ts';
import type { PolymarketSettings } from '../../core/venue-settings.ts';
import { chunksOf, readOnlyOrders, unlisted, without } from '../adapter.ts';
import type { PolledVenue } from '../follow.ts';
import { openPublicRest, type PublicRest } from '../http.ts';
import type { FeeSchedule, Invalid, VenueCatalogue, VenueEvent } from '../listing.ts';
import { type Locate, type Note, type RequestsLeft, Unknowns, type Venue } from '../port.ts';
import { expectShape, validateItems } from '../shapes.ts';
import type { PolymarketAccount } from './account.ts';
import { readPolymarketBook } from './books.ts';
import { type Builder, openBuilder } from './builder.ts';
import { openWitness, readPolymarketEvents, silentMarkets } from './catalogue.ts';
import type { PolymarketOrderSide } from './orders.ts';
import {
  type PolymarketBook,
  polymarketBook,
  polymarketBooks,
  polymarketMarketEvents,
  polymarketPage,
  TOKEN_PARAMETERS,
} from './shapes.ts';
import { watchPolymarket } from './stream.ts';

/** The exchange returns no more events on a page, whatever limit is requested. */
const PAGE = 100;
/** A deployment can follow only the most active events by polling. */
const MOST_EVENTS = 400;
const BATCH = 100;
/** Held markets per request: their tokens, of about 77 digits each, are part of the URL. */
const HELD_BATCH = 20;
const POLL_MS = 5_000;

/** @param name host of Gamma; `<name>-clob` is the host of the order book, `<name>-data` that of positions, `<name>-site` the exchange's site */
export function openPolymarket(name: string, locate: Locate, settings: PolymarketSettings): Venue {
  const rest = openPublicRest(name, locate);
  const unknowns = new Unknowns();
  const { builderCode } = settings;
  const builder =
    builderCode === undefined
      ? undefined
      : openBuilder(name, builderCode, (path) => rest.ask(`${name}-clob`, 'GET', path));
  const trading = hasKey(settings)
    ? polymarketTradingSide(name, locate, rest, settings, unknowns.note, builder)
    : undefined;
  const fees = new Map<string, FeeSchedule>();
  let listings: string[] | undefined;
  let sequence = BigInt(Date.now()) * 1_000n;

  const witness = openWitness(name, (path) => rest.ask(`${name}-clob`, 'GET', path));
  const read = async (raw: readonly unknown[]) =>
    readPolymarketEvents(raw, unknowns.note, builder?.charged, await witness.winnersOf(silentMarkets(raw)));

  async function catalogue(held: readonly string[] = []): Promise<VenueCatalogue> {
    // if the rate cannot be read now, the last one that was read applies, or else the highest
    await builder?.takerBps().catch(() => undefined);
    const events: VenueEvent[] = [];
    const invalid: Invalid[] = [];
    let cursor = '';
    for (let seen = 0; seen < MOST_EVENTS; ) {
      const query = new URLSearchParams({
        limit: String(PAGE),
        closed: 'false',
        order: 'volume24hr',
        ascending: 'false',
      });
      if (cursor !== '') {
        query.set('after_cursor', cursor);
      }
      const { body } = await rest.ask(name, 'GET', `/events/keyset?${query}`);
      const found = expectShape(name, 'events', polymarketPage, body);
      const listed = await read(found.events);
      events.push(...listed.events);
      invalid.push(...listed.invalid);
      seen += found.events.length;
      cursor = found.next_cursor ?? '';
      if (cursor === '' || found.events.length === 0) {
        break;
      }
    }
    const closed = await eventsOf(unlisted(held, events));
    events.push(...without(closed.events, events));
    invalid.push(...closed.invalid);
    const markets = events.flatMap((event) => event.markets);
    for (const market of markets) {
      fees.set(market.listingId, market.fee);
    }
    listings = markets.filter((market) => market.status === 'open').map((market) => market.listingId);
    return { events, invalid };
  }

  /** The complete events of these markets, open and closed. The venue lists only one of the two kinds per request. */
  async function eventsOf(tokens: readonly string[]): Promise<VenueCatalogue> {
    const ids = new Set<string>();
    for (const some of chunksOf(tokens, HELD_BATCH)) {
      for (const parameter of TOKEN_PARAMETERS) {
        for (const closed of ['true', 'false']) {
          const query = new URLSearchParams([
            ['limit', String(BATCH)],
            ['closed', closed],
            ...some.map((id): [string, string] => [parameter, id]),
          ]);
          const { body } = await rest.ask(name, 'GET', `/markets/keyset?${query}`);
          const { markets } = expectShape(name, 'markets', polymarketMarketEvents, body);
          for (const event of markets.flatMap((market) => market.events)) {
            ids.add(event.id);
          }
        }
      }
    }
    const raw: unknown[] = [];
    for (const id of ids) {
      const { status, body } = await rest.ask(name, 'GET', `/events/${encodeURIComponent(id)}`);
      if (status !== 404) {
        raw.push(body);
      }
    }
    return read(raw);
  }

  const next = () => {
    sequence += 1n;
    return sequence;
  };

  async function readBooks(ids: readonly string[], invalid: (evidence: Invalid) => void): Promise<PolymarketBook[]> {
    const { body } = await rest.ask(
      `${name}-clob`,
      'POST',
      '/books',
      ids.map((id) => ({ token_id: id })),
    );
    const found = validateItems('book', polymarketBook, expectShape(name, 'books', polymarketBooks, body));
    found.invalid.forEach(invalid);
    return found.good;
  }

  const polled: PolledVenue = {
    batch: BATCH,
    everyMs: POLL_MS,
    listings: async () => {
      if (listings === undefined) {
        await catalogue();
      }
      return listings ?? [];
    },
    books: async (ids, handlers) => {
      const books = await readBooks(ids, handlers.invalid);
      const now = new Date();
      return books.map((book) => readPolymarketBook(book, next(), now));
    },
  };

  return {
    ...(trading ?? readOnlyOrders),
    name,
    quantityStepMicros: 10_000n,
    // Markets require at least five shares.
    minimumQuantityMicros: 5_000_000n,
    minimumAmountMinor: 100n,
    catalogue,
    async book(listingId) {
      const query = new URLSearchParams({ token_id: listingId });
      const { status, body } = await rest.ask(`${name}-clob`, 'GET', `/book?${query}`);
      return status === 404
        ? null
        : readPolymarketBook(expectShape(name, 'book', polymarketBook, body), next(), new Date());
    },
    watch: async (handlers) =>
      watchPolymarket(
        {
          url: settings.streamUrl,
          polled,
          read: readBooks,
          events: async (tokens) => (await eventsOf(tokens)).events,
          book: (book, asOf) => readPolymarketBook(book, next(), new Date(), 'websocket', asOf),
          note: unknowns.note,
        },
        handlers,
      ),
    unknowns: () => unknowns.take(),
    feeSchedule: async (listingId) => fees.get(listingId) ?? null,
    close: async () => {
      await Promise.all([rest.close(), trading?.close()]);
    },
  };
}

/**
 * The exchange allows an address 500 reads of orders in ten seconds, and a look-up makes up to three of them. It allows a signer of
 * the lowest tier 40 orders per second, 60 of them at once, and 80 cancellations per second, 120 of them at once.
 */
const POLYMARKET_LIMITS: readonly RequestBucket[] = [
  { perSecond: 40, burst: 200, costs: { look_up: 3, cancel: 4, send: 2 } },
  { perSecond: 40, burst: 60, costs: { send: 1 } },
  { perSecond: 80, burst: 120, costs: { cancel: 1 } },
];

type KeySettings = PolymarketSettings & { readonly privateKeyFile: string };

function hasKey(settings: PolymarketSettings): settings is KeySettings {
  return settings.privateKeyFile !== undefined;
}

interface Loaded {
  readonly orders: PolymarketOrderSide;
  readonly account: PolymarketAccount;
  close(): Promise<void>;
}

type PolymarketTradingSide = Required<
  Pick<
    Venue,
    | 'account'
    | 'lookupIsComplete'
    | 'takesCostBound'
    | 'takesDollars'
    | 'limits'
    | 'onRequestsLeft'
    | keyof PolymarketOrderSide
    | 'close'
  >
>;

/** A fee is rounded to five places; no document states in which direction. */
const FEE_STEP_MICROS = 10n;

/** Orders and our account. Their code is loaded at first use, because the code that signs takes 0.2 s to load. */
function polymarketTradingSide(
  name: string,
  locate: Locate,
  rest: PublicRest,
  settings: KeySettings,
  note: Note,
  builder: Builder | undefined,
): PolymarketTradingSide {
  let loading: Promise<Loaded> | undefined;
  let reportLeft: (left: RequestsLeft) => void = () => undefined;

  async function load(): Promise<Loaded> {
    const [{ openClob }, { openWallet }, { openTerms }, { polymarketOrderSide }, { polymarketAccount }] =
      await Promise.all([
        import('./clob.ts'),
        import('./sign.ts'),
        import('./trading-terms.ts'),
        import('./orders.ts'),
        import('./account.ts'),
      ]);
    const clob = openClob(name, `${name}-clob`, locate, openWallet(settings), (left) => reportLeft(left), note);
    const terms = openTerms(name, clob, async (path) => (await rest.ask(name, 'GET', path)).body, builder);
    const at = (host: string) => (path: string) => rest.ask(host, 'GET', path);
    const ask = { catalogue: at(name), book: at(`${name}-clob`), site: at(`${name}-site`) };
    return {
      orders: polymarketOrderSide(name, clob, terms, note, builder?.code),
      account: polymarketAccount(name, clob, terms, at(`${name}-data`), settings.streamUrl, note, { builder, ask }),
      close: () => clob.close(),
    };
  }

  const side = () => {
    loading ??= load();
    return loading;
  };
  const orders = async () => (await side()).orders;
  const account = async () => (await side()).account;
  // typed by its members, so that none is left out here
  const loaded: PolymarketAccount = {
    serverTime: async () => (await account()).serverTime(),
    ordersSince: async (since) => (await account()).ordersSince(since),
    fillsSince: async (since) => (await account()).fillsSince(since),
    positions: async () => (await account()).positions(),
    transfersSince: async (since) => (await account()).transfersSince(since),
    balanceMicros: async () => (await account()).balanceMicros(),
    redeemableMicros: async () => (await account()).redeemableMicros(),
    redeemable: async () => (await account()).redeemable(),
    settledSince: async (since, among) => (await account()).settledSince(since, among),
    inspect: async () => (await account()).inspect(),
    verify: async () => (await account()).verify(),
    follow: (onChange) => followWhenLoaded(account(), onChange),
  };

  return {
    // orders of this kind do not expire there, matched ones are not kept under their hash, and no document states how late a trade may be
    // listed: an order that is not found stays unknown
    lookupIsComplete: false,
    takesCostBound: false,
    takesDollars: true,
    limits: POLYMARKET_LIMITS,
    onRequestsLeft(listener) {
      reportLeft = listener;
    },
    prepareOrder: async (order) => (await orders()).prepareOrder(order),
    placeOrder: async (order, mayWrite) => (await orders()).placeOrder(order, mayWrite),
    findOrder: async (ourId, sent) => (await orders()).findOrder(ourId, sent),
    fills: async (ourId, sent) => (await orders()).fills(ourId, sent),
    cancelOrder: async (ourId, sent) => (await orders()).cancelOrder(ourId, sent),
    account: {
      ...loaded,
      keepsBothSides: true,
      // the builder's part is rounded separately
      feeErrorMicros: builder === undefined ? FEE_STEP_MICROS : 2n * FEE_STEP_MICROS,
    },
    close: async () => {
      await (await loading)?.close();
    },
  };
}

/** Follows the account as soon as its code is loaded. */
function followWhenLoaded(
  loading: Promise<PolymarketAccount>,
  onChange: (refs: readonly string[]) => void,
): { close(): void } {
  let closed = false;
  let following: { close(): void } | undefined;
  loading.then(
    (account) => {
      following = closed ? undefined : account.follow(onChange);
    },
    // every other call to the account fails with the same reason and is logged
    () => undefined,
  );
  return {
    close() {
      closed = true;
      following?.close();
    },
  };
}
