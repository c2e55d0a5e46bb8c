/**
 * The catalogue as an API process serves it: lists, single events and categories for an audience, and single contracts
 * for the public website, as ready bytes made from the board and cached while they are valid. A request reads no table,
 * except for the rules of an event.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { refuse } from '../../core/errors.ts';
import { CATEGORIES, CATEGORY_LABELS } from '../../core/terms.ts';
import type { Clock } from '../../core/time.ts';
import type { Market } from '../../wire/catalogue.ts';
import type { Board } from '../board/board.ts';
import { type HaltedVenues, readHaltedVenues } from '../board/board-state.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import { publishedPrice } from '../prices/price-rules.ts';
import { type Audience, indexAfter, mintCursor, openEventIndex, readCursor, type SortKey } from './event-index.ts';
import { type EventQuery, type RawQuery, type RenderLocale, readEventQuery } from './event-query.ts';
import { isListed } from './event-summary.ts';
import { type EventRulesReader, renderOutcome, renderPrice } from './render-event.ts';
import { createRenderedEvents, type RenderedEvents } from './rendered-events.ts';

/** How a list is shown in the jurisdiction mode `enforced` (contract chapter 7). */
export interface JurisdictionView {
  readonly message: string;
  /** Whether this customer may trade; if not, the list is empty. */
  readonly permitted: boolean;
}

export interface Catalogue {
  /**
   * One page of `GET /events`.
   *
   * @param text the query string as it was sent; equal ones share their bytes while nothing changes
   * @throws the codes of `EVENT_LIST_REFUSALS`, and invalid_cursor
   */
  list(audience: Audience, text: string, raw: RawQuery, jurisdiction?: JurisdictionView | null): ReadyJson;
  /** `GET /events/{id}` by id or slug. @throws unknown_event */
  show(audience: Audience, idOrSlug: string, locale: RenderLocale): ReadyJson | Promise<ReadyJson>;
  /** `GET /categories`. */
  categories(audience: Audience): ReadyJson;
  /** An event by id or slug, if it is offered. */
  find(audience: Audience, idOrSlug: string): BoardEvent | undefined;
  close(): void;
}

/** It does not keep the list and the events alive from which it was made, because they are larger than its own bytes. */
interface Page extends ReadyJson {
  readonly sortKeys: WeakRef<readonly SortKey[]>;
  readonly scores: number;
  readonly events: readonly WeakRef<BoardEvent>[];
  readonly until: number;
  /** The tick of the index at which the page was last known to be valid. */
  tick: number;
}

const CACHED_PAGE_BYTES = 32 * 1024 * 1024;
const CACHED_WHOLE_BYTES = 16 * 1024 * 1024;
const CACHED_CATEGORY_BYTES = 4 * 1024 * 1024;
/** The objects of a page beside its bytes, for each page and for each of its events. */
const PAGE_BYTES = 1_024;
const PAGE_EVENT_BYTES = 64;
/** Pages of longer query strings are not cached. */
const MAX_KEY_LENGTH = 1_000;

/** @param trades whether orders can be sent to a venue */
export function openCatalogue(
  board: Board,
  clock: Clock,
  rules: EventRulesReader,
  trades: (venue: string) => boolean,
): Catalogue {
  const index = openEventIndex(board, clock);
  const renderedForAll = createRenderedEvents(null);
  let renderedHalted = { key: '', events: renderedForAll };
  const pages = new LRUCache<string, Page & { readonly query: EventQuery }>({
    maxSize: CACHED_PAGE_BYTES,
    // With the compressed forms of the body (server/ready.ts), and with the key once more as the words of the query.
    sizeCalculation: ({ body, events }, key) =>
      body.length * 2 + key.length * 4 + events.length * PAGE_EVENT_BYTES + PAGE_BYTES,
  });
  const wholes = new LRUCache<string, ReadyJson & { readonly json: string; readonly rulesText: string }>({
    maxSize: CACHED_WHOLE_BYTES,
    sizeCalculation: ({ body, json, rulesText }, key) =>
      body.length * 2 + (json.length + rulesText.length + key.length) * 2 + PAGE_BYTES,
  });
  const shelves = new LRUCache<string, ReadyJson & { readonly membership: number }>({
    maxSize: CACHED_CATEGORY_BYTES,
    sizeCalculation: ({ body }, key) => body.length * 2 + key.length * 2 + PAGE_BYTES,
  });

  function haltedFor(audience: Audience): HaltedVenues | null {
    return audience.live ? readHaltedVenues(board.feeds, trades) : null;
  }

  function renderedFor(halted: HaltedVenues | null): RenderedEvents {
    if (halted === null) {
      return renderedForAll;
    }
    if (renderedHalted.key !== halted.key) {
      renderedHalted = { key: halted.key, events: createRenderedEvents(halted) };
    }
    return renderedHalted.events;
  }

  function isRight(page: Page, sortKeys: readonly SortKey[], now: number): boolean {
    return (
      page.sortKeys.deref() === sortKeys &&
      now < page.until &&
      (page.scores === 0 || page.scores === index.trending.version) &&
      page.events.every((seen) => {
        const event = seen.deref();
        return event !== undefined && board.events.get(event.eventId) === event;
      })
    );
  }

  function makePage(
    query: EventQuery,
    found: readonly SortKey[],
    jurisdiction: JurisdictionView | null,
    rendered: RenderedEvents,
  ): Page {
    const now = clock.now();
    const sortKeys = jurisdiction?.permitted === false ? [] : found;
    const { sort, dir, limit, locale, cursor } = query;
    const start = cursor === null ? 0 : indexAfter(sortKeys, readCursor(sort, dir, cursor), dir);
    const shown = sortKeys.slice(start, start + limit);
    const isRanked = sort === 'trending' || sort === 'volume';
    let until = Number.POSITIVE_INFINITY;
    const events = shown.flatMap(({ eventId }) => board.events.get(eventId) ?? []);
    const texts: string[] = [];
    for (const event of events) {
      const text = rendered.listed(event, locale, now);
      const block = isRanked ? index.trending.blockOf(event.eventId) : undefined;
      until = Math.min(until, text.until);
      texts.push(block === undefined ? text.json : `${text.json.slice(0, -1)},"trending":${block}}`);
    }
    const last = shown.at(-1);
    // A full page always has a cursor, so a client may need one empty request to find the end (contract 4.9).
    const nextCursor = shown.length === limit && last !== undefined ? mintCursor(sort, dir, last) : null;
    const pagination = { limit, total: sortKeys.length, nextCursor, hasMore: nextCursor !== null };
    const notice =
      jurisdiction === null
        ? ''
        : `,"jurisdiction":${JSON.stringify({ enforced: true, message: jurisdiction.message })}`;
    return {
      ...readyJson(`{"data":[${texts.join(',')}],"pagination":${JSON.stringify(pagination)}${notice}}`),
      sortKeys: new WeakRef(found),
      scores: isRanked ? index.trending.version : 0,
      events: events.map((event) => new WeakRef(event)),
      // An event that is on the list and no longer on the board: the next list has it no more.
      until: events.length < shown.length ? Number.NEGATIVE_INFINITY : until,
      tick: 0,
    };
  }

  function find(audience: Audience, idOrSlug: string): BoardEvent | undefined {
    const event = board.events.get(idOrSlug) ?? board.eventBySlug(idOrSlug);
    return event !== undefined && audience.offers(event) ? event : undefined;
  }

  function makeWhole(
    event: BoardEvent,
    locale: RenderLocale,
    rulesText: string,
    halted: HaltedVenues | null,
  ): ReadyJson {
    const { json } = renderedFor(halted).whole(event, locale, clock.now());
    const name = `${event.eventId}\n${locale}\n${halted?.key ?? ''}`;
    const known = wholes.get(name);
    if (known !== undefined && known.json === json && known.rulesText === rulesText) {
      return known;
    }
    const ready = { ...readyJson(`{"data":${json.slice(0, -1)},"rules":${rulesText}}}`), json, rulesText };
    wholes.set(name, ready);
    return ready;
  }

  return {
    list(audience, text, raw, jurisdiction = null) {
      const notice = jurisdiction === null ? '' : `${jurisdiction.permitted}`;
      const halted = haltedFor(audience);
      const name = `${audience.key}\n${halted?.key ?? ''}\n${notice}\n${text}`;
      const tick = index.sync();
      const known = name.length <= MAX_KEY_LENGTH ? pages.get(name) : undefined;
      if (known !== undefined && known.tick === tick) {
        return known;
      }
      const query = known?.query ?? readEventQuery(raw);
      const sortKeys = index.find(audience, query, halted);
      if (known !== undefined && isRight(known, sortKeys, clock.now().getTime())) {
        known.tick = tick;
        return known;
      }
      const page = { ...makePage(query, sortKeys, jurisdiction, renderedFor(halted)), tick, query };
      if (name.length <= MAX_KEY_LENGTH) {
        pages.set(name, page);
      }
      return page;
    },
    show(audience, idOrSlug, locale) {
      const event = find(audience, idOrSlug);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      const halted = haltedFor(audience);
      const found = rules.find(event.eventId);
      return typeof found === 'string'
        ? makeWhole(event, locale, found, halted)
        : found.then((text) => makeWhole(board.events.get(event.eventId) ?? event, locale, text, halted));
    },
    categories(audience) {
      index.sync();
      const known = shelves.get(audience.key);
      if (known !== undefined && known.membership === index.membership) {
        return known;
      }
      const events = index.listed(audience);
      const data = CATEGORIES.map((category) => ({
        category,
        label: CATEGORY_LABELS[category],
        eventCount: events.filter(({ categories }) => categories.includes(category)).length,
      })).filter(({ eventCount }) => eventCount > 0);
      const ready = {
        ...readyJson(JSON.stringify({ data, totalEvents: events.length })),
        membership: index.membership,
      };
      shelves.set(audience.key, ready);
      return ready;
    },
    find,
    close: () => index.close(),
  };
}

interface PublicMarkets {
  /** @param limit 1 to 200 */
  list(limit: number): ReadyJson;
  find(contractId: string): Market | undefined;
  /** Prices to display, not to trade at. Ids that do not exist are listed separately. */
  prices(contractIds: readonly string[]): ReadyJson;
}

/** The order of all contracts is computed again at most this often. */
const ORDER_MS = 1_000;

/**
 * Single contracts as the public website shows them (not part of the partner interface, contract chapter 37): all open ones, the most
 * traded first. They do not depend on an operator.
 */
export function createPublicMarkets(board: Board, clock: Clock): PublicMarkets {
  let order: readonly BoardContract[] = [];
  let orderedAt = Number.NEGATIVE_INFINITY;

  function ordered(now: Date): readonly BoardContract[] {
    if (performance.now() - orderedAt < ORDER_MS) {
      return order;
    }
    orderedAt = performance.now();
    order = [...board.events.values()]
      .filter((event) => isListed(event, now))
      .flatMap(({ contracts }) => contracts.filter(({ status }) => status === 'open'))
      .sort((a, b) => Number(b.volume24hMicros - a.volume24hMicros) || (a.contractId < b.contractId ? -1 : 1));
    return order;
  }

  function market(contract: BoardContract, now: Date): Market | undefined {
    const event: BoardEvent | undefined = board.events.get(contract.eventId);
    if (event === undefined) {
      return undefined;
    }
    const { eventId, slug, title, category } = event;
    return { ...renderOutcome(contract, 'en', now), event: { id: eventId, slug, title, category } };
  }

  return {
    list(limit) {
      const now = clock.now();
      const all = ordered(now);
      const data = all.slice(0, limit).flatMap(({ contractId }) => {
        const contract = board.contracts.get(contractId);
        return (contract && market(contract, now)) ?? [];
      });
      return readyJson(JSON.stringify({ data, total: all.length }));
    },
    find(contractId) {
      const contract = board.contracts.get(contractId);
      return contract && market(contract, clock.now());
    },
    prices(contractIds) {
      const now = clock.now();
      const found = contractIds.flatMap((id) => board.contracts.get(id) ?? []);
      const data = found.map((contract) => renderPrice(contract, publishedPrice(contract, now)));
      const unknown = contractIds.filter((id) => !board.contracts.has(id));
      return readyJson(JSON.stringify({ data, unknown }));
    },
  };
}

/** JSON bytes that can be sent unchanged. */
export interface ReadyJson {
  readonly body: Buffer;
  /** The same bytes have the same tag in every process, so it is a strong validator. */
  readonly etag: string;
}

function readyJson(json: string): ReadyJson {
  const body = Buffer.from(json);
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
}
