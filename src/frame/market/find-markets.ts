/**
 * Reads markets for the views: a page of the list with its games complete, events by their ids, and markets by the ids of contracts. An event
 * or a market that cannot be read is left out.
 */
import type { CatalogueEvent, EventDetail, EventList, Outcome } from '../../wire/catalogue.ts';
import { gameOf, marketName } from '../parts/games.ts';
import { call } from '../service.ts';

/** Events of one league that close at one moment. */
const MOST_READ = 100;

export interface EventPage extends EventList {
  /** Events that belong to games of this page and are not on it. */
  readonly alongside: readonly CatalogueEvent[];
}

/**
 * If the page has a total or a margin of a game whose result is on another page, the other events of that game are read as well, so
 * that a game is always listed whole.
 * @param query of the list
 * @throws the error of the list; a game that cannot be read stays as the list has it
 */
export async function readEventPage(query: URLSearchParams, signal?: AbortSignal): Promise<EventPage> {
  const init = signal === undefined ? {} : { signal };
  const list = await call<EventList>(`/events?${query}`, init);
  const locale = query.get('locale') ?? '';
  const alone = withoutResult(list.data);
  // The events of a game have its league and its closing time in common.
  const places = new Set(
    alone.map(({ league, closesAt }) => {
      const when = { closesAfter: closesAt, closesBefore: closesAt, limit: String(MOST_READ), locale };
      return new URLSearchParams(league === null ? when : { ...when, league }).toString();
    }),
  );
  const found = await Promise.all(
    [...places].map((place) =>
      call<EventList>(`/events?${place}`, init).then(
        ({ data }) => data,
        () => [],
      ),
    ),
  );
  const games = new Set(alone.map(gameOf));
  const had = new Set(list.data.map(({ id }) => id));
  return { ...list, alongside: found.flat().filter((event) => games.has(gameOf(event)) && !had.has(event.id)) };
}

function withoutResult(events: readonly CatalogueEvent[]): CatalogueEvent[] {
  const games = events.filter(({ eventType }) => eventType === 'game');
  const decided = new Set(games.filter(({ title }) => marketName(title) === null).map(gameOf));
  return games.filter((event) => !decided.has(gameOf(event)));
}

export interface HeldMarket {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
}

interface PublicMarket {
  readonly data: { readonly event: { readonly id: string } };
}

const AT_ONCE = 4;
/** Ids of events by contract; they never change. */
const eventOf = new Map<string, string>();

/**
 * An event is read again after this time. A session may make 300 calls per minute, and a customer may have positions in many
 * markets.
 */
const KEPT_MS = 60_000;
const read = new Map<string, { readonly at: number; readonly event: CatalogueEvent }>();

/** @returns markets by contract id, without those that are not found */
export async function findMarkets(
  contractIds: readonly string[],
  locale: string,
  signal: AbortSignal,
): Promise<Map<string, HeldMarket>> {
  const wanted = [...new Set(contractIds)];
  await inTurns(
    wanted.filter((id) => !eventOf.has(id)),
    async (id) => {
      const response = await fetch(`/api/markets/${encodeURIComponent(id)}`, { credentials: 'omit', signal });
      if (response.ok) {
        eventOf.set(id, ((await response.json()) as PublicMarket).data.event.id);
      }
    },
  );
  const found = new Map<string, HeldMarket>();
  const events = [...new Set(wanted.flatMap((id) => eventOf.get(id) ?? []))];
  await inTurns(events, async (id) => {
    const event = await readEvent(id, locale, signal);
    for (const outcome of event.outcomes) {
      found.set(outcome.id, { event, outcome });
    }
  });
  return found;
}

/** @returns the events of these ids in any order, without those that are not found */
export async function readEvents(
  ids: readonly string[],
  locale: string,
  signal: AbortSignal,
): Promise<readonly CatalogueEvent[]> {
  const events: CatalogueEvent[] = [];
  await inTurns(ids, async (id) => {
    events.push(await readEvent(id, locale, signal));
  });
  return events;
}

async function readEvent(id: string, locale: string, signal: AbortSignal): Promise<CatalogueEvent> {
  const key = `${locale} ${id}`;
  const had = read.get(key);
  if (had !== undefined && Date.now() - had.at < KEPT_MS) {
    return had.event;
  }
  const { data } = await call<EventDetail>(`/events/${encodeURIComponent(id)}?locale=${locale}`, { signal });
  read.set(key, { at: Date.now(), event: data });
  return data;
}

/** Acts on the items, a few at a time. Items that fail are left out. */
export async function inTurns<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await act(item).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
