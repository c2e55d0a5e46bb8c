/** A venue in memory that a test moves by hand: listings, books, results, a connection that can break. */
import { oneBucket } from '../../src/core/request-budget.ts';
import type { VenueBook, VenueEvent, VenueLevel, VenueMarket } from '../../src/venues/listing.ts';
import type { Venue, WatchHandlers } from '../../src/venues/port.ts';
import { timePasses } from '../support/until.ts';

const DAY_MS = 86_400_000;

export function market(listingId: string, eventId: string, parts: Partial<VenueMarket> = {}): VenueMarket {
  return {
    listingId,
    eventId,
    groupKey: null,
    label: `Label ${listingId}`,
    teamLogoUrl: null,
    teamColor: null,
    teamMarks: null,
    teamAbbr: null,
    yesLabel: null,
    noLabel: null,
    rules: null,
    sportsMarketType: null,
    threshold: null,
    direction: null,
    fiveMinute: false,
    status: 'open',
    opensAt: new Date(Date.now() - DAY_MS),
    closesAt: new Date(Date.now() + DAY_MS),
    volumeMicros: 5_000_000n,
    volume24hMicros: 1_000_000n,
    lastPriceMicros: 400_000n,
    resolution: null,
    fee: { model: 'of_cost', bps: 100, known: true },
    tickMicros: 10_000n,
    translations: { es: { label: `Etiqueta ${listingId}`, yesLabel: null, noLabel: null } },
    ...parts,
  };
}

export function event(eventId: string, markets: VenueMarket[], parts: Partial<VenueEvent> = {}): VenueEvent {
  return {
    eventId,
    groupKey: null,
    slug: `venue-slug-${eventId}`,
    title: `Will ${eventId} happen?`,
    subtitle: null,
    category: 'politics',
    categories: ['politics'],
    kind: markets.length === 1 ? 'binary' : 'mutually_exclusive',
    sport: null,
    league: null,
    eventType: null,
    liveMatch: null,
    imageUrl: null,
    opensAt: new Date(Date.now() - DAY_MS),
    closesAt: new Date(Date.now() + DAY_MS),
    volumeMicros: 9_000_000n,
    volume24hMicros: 2_000_000n,
    status: 'open',
    levelFormat: null,
    translations: { es: { title: `¿Pasará ${eventId}?`, subtitle: null } },
    markets,
    ...parts,
  };
}

export function levels(...pairs: [price: number, contracts: number][]): VenueLevel[] {
  return pairs.map(([price, contracts]) => ({
    priceMicros: BigInt(Math.round(price * 1e6)),
    quantityMicros: BigInt(Math.round(contracts * 1e6)),
  }));
}

export class TestVenue implements Venue {
  readonly account = null;
  readonly limits = oneBucket(2_000);
  readonly lookupIsComplete = true;
  readonly takesCostBound = true;
  readonly quantityStepMicros = 10_000n;
  readonly minimumQuantityMicros = 10_000n;
  readonly minimumAmountMinor = 100n;
  readonly name: string;
  readonly events = new Map<string, VenueEvent>();
  readonly books = new Map<string, VenueBook>();
  handlers: WatchHandlers | undefined;
  catalogueReads = 0;
  freshBooks = 0;
  /** Called while a catalogue is on its way. */
  whileReading: (() => void) | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(name: string, events: VenueEvent[] = []) {
    this.name = name;
    for (const item of events) {
      this.events.set(item.eventId, item);
    }
  }

  async catalogue() {
    this.catalogueReads += 1;
    const events = [...this.events.values()];
    await timePasses(5);
    this.whileReading?.();
    return { events, invalid: [] };
  }

  async book(listingId: string) {
    this.freshBooks += 1;
    return this.books.get(listingId) ?? null;
  }

  async watch(handlers: WatchHandlers) {
    this.handlers = handlers;
    this.connect();
    const venue = this;
    return {
      connected: true,
      async close() {
        clearInterval(venue.#heartbeat);
      },
    };
  }

  connect() {
    this.handlers?.books([...this.books.values()]);
    this.handlers?.up();
    this.handlers?.confirmed(new Date());
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.handlers?.confirmed(new Date()), 200);
  }

  disconnect() {
    clearInterval(this.#heartbeat);
    this.handlers?.down('test');
  }

  /** Sets a book; `lost` keeps it from being delivered. */
  setBook(listingId: string, bids: VenueLevel[], asks: VenueLevel[], { lost = false } = {}): VenueBook {
    const sequence = (this.books.get(listingId)?.sequence ?? 0n) + 1n;
    const book: VenueBook = { listingId, bids, asks, sequence, observedAt: new Date(), feed: 'websocket' };
    this.books.set(listingId, book);
    if (!lost) {
      this.handlers?.books([book]);
    }
    return book;
  }

  list(item: VenueEvent) {
    this.events.set(item.eventId, item);
    this.handlers?.changes([{ type: 'event', event: item }]);
  }

  change(changed: VenueMarket) {
    const item = this.events.get(changed.eventId);
    if (item === undefined) {
      throw new Error('no such event');
    }
    const markets = item.markets.map((other) => (other.listingId === changed.listingId ? changed : other));
    this.events.set(item.eventId, { ...item, markets });
    this.handlers?.changes([{ type: 'market', market: changed }]);
  }

  async placeOrder(): Promise<never> {
    throw new Error('not for trading');
  }
  async findOrder() {
    return { outcome: 'not_found' as const };
  }
  async fills() {
    return [];
  }
  async cancelOrder() {
    return { outcome: 'not_found' as const };
  }
  async feeSchedule() {
    return null;
  }
  async close() {}
}
