/**
 * The catalogue as an API process serves it: lists, single events and categories as ready bytes, made from the board
 * and cached while they are valid. A request reads no table, except for the rules of a single event. Whether an event is offered is decided by the audience.
 */
import { LRUCache } from 'lru-cache';
import { refuse } from '../../core/errors.ts';
import { CATEGORIES, CATEGORY_LABELS } from '../../core/terms.ts';
import type { Clock } from '../../core/time.ts';
import type { Board } from '../board/board.ts';
import type { BoardEvent } from '../event.ts';
import { type HaltedVenues, readHaltedVenues } from '../prices/halted-venues.ts';
import type { Audience } from './event-filter.ts';
import { openEventIndex } from './event-index.ts';
import { type EventQuery, type RawQuery, type RenderLocale, readEventQuery } from './event-query.ts';
import type { EventRulesReader } from './event-rules.ts';
import { indexAfter, mintCursor, readCursor, type SortKey } from './orderings.ts';
import { createRenderedEvents, type ReadyJson, type RenderedEvents, readyJson } from './rendered-events.ts';

/** How a list is shown in jurisdiction mode `enforced` (contract chapter 7). */
export interface JurisdictionView {
  readonly message: string;
  /** Whether this customer may trade; if not, the list is empty. */
  readonly permitted: boolean;
}

export interface Catalogue {
  /**
   * One page of `GET /events`.
   * @param text the query string as it was sent: two equal ones share their bytes while nothing changed
   * @throws the 400 codes of the list
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

interface Page extends ReadyJson {
  readonly sortKeys: readonly SortKey[];
  readonly scores: number;
  readonly events: readonly (BoardEvent | undefined)[];
  readonly until: number;
  /** The tick of the index at which the page was last found valid. */
  tick: number;
}

const CACHED_PAGE_BYTES = 32 * 1024 * 1024;
const CACHED_WHOLE_BYTES = 16 * 1024 * 1024;
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
    sizeCalculation: ({ body }, key) => body.length + key.length * 2 + 512,
  });
  const wholes = new LRUCache<string, ReadyJson & { readonly json: string; readonly rulesText: string }>({
    maxSize: CACHED_WHOLE_BYTES,
    sizeCalculation: ({ body, json, rulesText }) => body.length + json.length + rulesText.length,
  });
  const shelves = new LRUCache<string, ReadyJson & { readonly membership: number }>({ max: 1_000 });

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
      page.sortKeys === sortKeys &&
      now < page.until &&
      (page.scores === 0 || page.scores === index.trending.version) &&
      page.events.every((event) => event !== undefined && board.events.get(event.eventId) === event)
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
    const events = shown.map(({ eventId }) => board.events.get(eventId));
    const texts: string[] = [];
    for (const event of events) {
      if (event === undefined) {
        continue;
      }
      const text = rendered.listed(event, locale, now);
      const block = isRanked ? index.trending.blockOf(event.eventId) : undefined;
      until = Math.min(until, text.until);
      texts.push(block === undefined ? text.json : `${text.json.slice(0, -1)},"trending":${block}}`);
    }
    const last = shown.at(-1);
    // A full page always has a cursor, so the end can cost one empty request (contract 4.9).
    const nextCursor = shown.length === limit && last !== undefined ? mintCursor(sort, dir, last) : null;
    const pagination = { limit, total: sortKeys.length, nextCursor, hasMore: nextCursor !== null };
    const notice =
      jurisdiction === null
        ? ''
        : `,"jurisdiction":${JSON.stringify({ enforced: true, message: jurisdiction.message })}`;
    return {
      ...readyJson(`{"data":[${texts.join(',')}],"pagination":${JSON.stringify(pagination)}${notice}}`),
      sortKeys: found,
      scores: isRanked ? index.trending.version : 0,
      events,
      until,
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
