/** Polymarket, read only: the catalogue from Gamma, books from the CLOB. Both hosts come from configuration alone. */
import { z } from 'zod';
import { openVenueHttp } from './http.ts';
import { watchByPolling } from './polling-watch.ts';
import { readPolymarketBook, readPolymarketEvents } from './polymarket-catalogue.ts';
import { polymarketBook, polymarketBooks, polymarketPage } from './polymarket-schemas.ts';
import {
  type FeeSchedule,
  type Invalid,
  type Venue,
  type VenueCatalogue,
  type VenueEvent,
  VenueUnknown,
} from './port.ts';
import { readOnlyOrders } from './read-only.ts';
import type { Locate } from './registry.ts';
import { sift } from './sift.ts';

const TIMEOUT_MS = 10_000;
const PAGE = 200;
/** The most active events are what a deployment can follow by asking. */
const MOST_PAGES = 2;
const BATCH = 100;
const POLL_MS = 5_000;

export function openPolymarket(name: string, locate: Locate): Venue {
  const http = openVenueHttp(name);
  const fees = new Map<string, FeeSchedule>();
  let listings: string[] | undefined;
  let sequence = BigInt(Date.now()) * 1_000n;

  /** @param host `polymarket` is Gamma, `polymarket-clob` the order book. */
  async function ask(host: string, method: 'GET' | 'POST', path: string, body?: object) {
    const origin = await locate(host);
    if (origin === undefined) {
      throw new VenueUnknown(name, `the address of ${host} is not configured`, { neverSent: true });
    }
    const answer = await http.call(method, `${origin}${path}`, TIMEOUT_MS, body);
    if (answer.status !== 200 && answer.status !== 404) {
      throw new VenueUnknown(name, `status ${answer.status}`, {
        evidence: { about: path, reason: `status ${answer.status}`, raw: answer.body },
      });
    }
    return answer;
  }

  function expect<T>(about: string, shape: z.ZodType<T>, body: unknown): T {
    const result = shape.safeParse(body);
    if (result.success) return result.data;
    const reason = z.prettifyError(result.error);
    throw new VenueUnknown(name, `${about}: ${reason}`, { evidence: { about, reason, raw: body } });
  }

  async function catalogue(): Promise<VenueCatalogue> {
    const events: VenueEvent[] = [];
    const invalid: Invalid[] = [];
    let cursor = '';
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = new URLSearchParams({
        limit: String(PAGE),
        closed: 'false',
        order: 'volume24hr',
        ascending: 'false',
      });
      if (cursor !== '') query.set('after_cursor', cursor);
      const { body } = await ask(name, 'GET', `/events/keyset?${query}`);
      const found = expect('events', polymarketPage, body);
      const read = readPolymarketEvents(found.events);
      events.push(...read.events);
      invalid.push(...read.invalid);
      cursor = found.next_cursor ?? '';
      if (cursor === '') break;
    }
    const markets = events.flatMap((event) => event.markets);
    for (const market of markets) fees.set(market.listingId, market.fee);
    listings = markets.filter((market) => market.status === 'open').map((market) => market.listingId);
    return { events, invalid };
  }

  const next = () => {
    sequence += 1n;
    return sequence;
  };

  return {
    ...readOnlyOrders,
    name,
    quantityStepMicros: 10_000n,
    // Five shares is what markets ask for at least.
    minimumQuantityMicros: 5_000_000n,
    minimumAmountMinor: 100n,
    catalogue,
    async book(listingId) {
      const query = new URLSearchParams({ token_id: listingId });
      const { status, body } = await ask(`${name}-clob`, 'GET', `/book?${query}`);
      return status === 404 ? null : readPolymarketBook(expect('book', polymarketBook, body), next(), new Date());
    },
    watch: async (handlers) =>
      watchByPolling(
        {
          batch: BATCH,
          everyMs: POLL_MS,
          listings: async () => {
            if (listings === undefined) await catalogue();
            return listings ?? [];
          },
          books: async (ids) => {
            const { body } = await ask(
              `${name}-clob`,
              'POST',
              '/books',
              ids.map((id) => ({ token_id: id })),
            );
            const { good, invalid } = sift('book', polymarketBook, expect('books', polymarketBooks, body));
            for (const evidence of invalid) handlers.invalid(evidence);
            const now = new Date();
            return good.map((book) => readPolymarketBook(book, next(), now));
          },
        },
        handlers,
      ),
    feeSchedule: async (listingId) => fees.get(listingId) ?? null,
    close: () => http.close(),
  };
}
