/**
 * Reads one page of the list of markets. If the page has a total or a margin of a game whose result is on another page, the other
 * events of that game are read as well, so that a game is always listed whole.
 */
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { gameOf, marketName } from '../parts/games.ts';
import { call } from '../service.ts';

/** Events of one league that close at one moment. */
const MOST_READ = 100;

export interface EventPage extends EventList {
  /** Events that belong to games of this page and are not on it. */
  readonly alongside: readonly CatalogueEvent[];
}

/**
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
