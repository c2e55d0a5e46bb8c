/**
 * The list of markets: by category with search, with the games of the day above the list of sports, or the customer's favourites.
 * If the customer's jurisdiction is not permitted, nothing is listed.
 */
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { favourites } from '../market/favourites.tsx';
import { Chip, type Filter, Filters, filter, searchField } from '../market/filters.tsx';
import { type EventPage, readEventPage, readEvents } from '../market/find-markets.ts';
import { categoryName } from '../parts/facts.tsx';
import { type Game, groupGames } from '../parts/games.ts';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { go, hasMoved, restoreListScroll, takeFocus } from '../route.ts';
import { call, serviceNow, useLoading } from '../service.ts';
import { plural, t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { readAccount } from '../trading/deal.ts';
import { EventCard, shownOutcomes } from './event-card.tsx';

const PAGE = 24;

interface Further {
  /** The query of the first page. */
  readonly of: string;
  readonly pages: readonly EventPage[];
  readonly busy: boolean;
}

/** The pages after the first one. They are kept while the customer looks at an event. */
const further = signal<Further>({ of: '', pages: [], busy: false });

export function Markets() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasMoved()) {
      takeFocus(heading.current);
    }
  }, []);
  const { favourites } = filter.value;
  return (
    <>
      <h1 class="unseen" tabIndex={-1} ref={heading}>
        {t(favourites ? 'favourites' : 'markets')}
      </h1>
      {favourites ? (
        <section aria-label={t('favourites')}>
          <Filters />
          <FavouriteMarkets />
        </section>
      ) : (
        <AllMarkets />
      )}
    </>
  );
}

function AllMarkets() {
  const { category, search, sort } = filter.value;
  const { locale } = presentation.value;
  const next = useNextGames(filter.value);
  // The league counts only while the chips are shown with which the customer can change it.
  const league = next === null || next.leagues.length === 0 ? '' : filter.value.league;
  const query = new URLSearchParams({ sort, locale, limit: String(PAGE) });
  if (category !== '') {
    query.set('category', category);
  }
  if (league !== '') {
    query.set('league', league);
  }
  if (search !== '') {
    query.set('search', search);
  }
  const first = query.toString();
  const { state, again } = useLoading((signal) => readEventPage(query, signal), [first]);
  const { data, failed, busy } = state.value;
  const pages = data === null ? [] : [data, ...(further.value.of === first ? further.value.pages : [])];
  const listed = useMemo(() => distinct(pages.flatMap((page) => page.data)), [data, further.value.pages]);
  const events = useMemo(() => distinct([...listed, ...pages.flatMap((page) => page.alongside)]), [listed]);
  const cursor = pages.at(-1)?.pagination.nextCursor ?? null;

  useLayoutEffect(() => {
    if (data !== null) {
      restoreListScroll();
    }
  }, [data !== null]);
  const nextGames = next === null ? [] : [...next.live, ...next.soon];
  const above = new Set(nextGames.flatMap(({ main, others }) => [main, ...others].map(({ id }) => id)));
  const games = useMemo(() => groupGames(events), [events]).filter(({ main }) => !above.has(main.id));
  const shown = [...nextGames, ...games].flatMap(({ main, others }) => shownOutcomes(main, others)).join(',');
  useEffect(() => watchPrices(shown === '' ? [] : shown.split(',')), [shown]);

  const loadMore = async () => {
    if (cursor === null || further.value.busy) {
      return;
    }
    const had = further.value.of === first ? further.value.pages : [];
    further.value = { of: first, pages: had, busy: true };
    const page = await readEventPage(new URLSearchParams([...query, ['cursor', cursor]])).catch(() => null);
    further.value = { of: first, pages: page === null ? had : [...had, page], busy: false };
  };

  const isBlocked = data?.jurisdiction !== undefined && events.length === 0 && category === '' && search === '';
  useEffect(() => {
    if (isBlocked) {
      readAccount();
    }
  }, [isBlocked]);
  return (
    <section aria-label={t('markets')}>
      {!isBlocked && <Filters />}
      {next !== null && <Leagues leagues={next.leagues} />}
      <p class="unseen" role="status">
        {search !== '' && data !== null && !busy && foundText(listed.length, cursor !== null, search)}
      </p>
      {isBlocked ? (
        <Empty icon="chart" title={t('noMarkets')}>
          <button type="button" class="button plain" onClick={() => go({ name: 'positions', list: 'open' })}>
            {t('viewPositions')}
          </button>
        </Empty>
      ) : data !== null && events.length === 0 ? (
        <Nothing />
      ) : data !== null && next !== null ? (
        <>
          <GameSections games={next} />
          {above.size > 0 && games.length > 0 && (
            <h2 class="part">{t('related', { category: categoryName(category) })}</h2>
          )}
          <ul class="cards" aria-busy={busy}>
            {games.map(({ main, others }) => (
              <EventCard key={main.id} event={main} others={others} />
            ))}
          </ul>
          {cursor !== null && (
            <button type="button" class="button plain wide" disabled={further.value.busy} onClick={loadMore}>
              {further.value.busy ? t('loading') : t('more')}
            </button>
          )}
        </>
      ) : failed !== null ? (
        <Failure code={failed} again={again} />
      ) : (
        <Skeletons count={6} kind="card" />
      )}
    </section>
  );
}

/** For a screen reader, while the customer types. */
function foundText(count: number, hasMore: boolean, search: string): string {
  return count === 0 ? t('searchNone', { text: search }) : plural('found', count, `${count}${hasMore ? '+' : ''}`);
}

/** Shown if no market fits the search and the category. Each button takes one of them away. */
function Nothing() {
  const { search, category } = filter.value;
  const set = (change: Partial<typeof filter.value>) => {
    filter.value = { ...filter.value, ...change };
    searchField.current?.focus();
  };
  const wider = category !== '' && (
    <button type="button" class="button plain" onClick={() => set({ category: '' })}>
      {t(search === '' ? 'allMarkets' : 'searchAll')}
    </button>
  );
  if (search === '') {
    return (
      <Empty icon="chart" title={t('noMarkets')} hint={t('noMarketsHint')}>
        {wider}
      </Empty>
    );
  }
  return (
    <Empty icon="search" title={t('searchNone', { text: search })}>
      {wider}
      <button type="button" class="button plain" onClick={() => set({ search: '' })}>
        {t('clearSearch')}
      </button>
    </Empty>
  );
}

/** In the order `trending` an event may appear on two pages. */
function distinct(events: readonly CatalogueEvent[]): CatalogueEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** The customer's favourites as cards, newest first. */
function FavouriteMarkets() {
  const { locale } = presentation.value;
  const ids = favourites.value;
  const { state, again } = useLoading((signal) => readEvents(ids, locale, signal), [locale, ids.join(',')]);
  const { data, failed } = state.value;
  const events = ids.flatMap((id) => data?.find((event) => event.id === id) ?? []);
  const shown = events.flatMap((event) => shownOutcomes(event)).join(',');
  useEffect(() => watchPrices(shown === '' ? [] : shown.split(',')), [shown]);
  if (ids.length === 0) {
    return <Empty icon="star" title={t('noFavourites')} hint={t('noFavouritesHint')} />;
  }
  if (data === null) {
    return failed === null ? <Skeletons count={ids.length} kind="card" /> : <Failure code={failed} again={again} />;
  }
  if (events.length === 0) {
    return <Empty icon="star" title={t('favouritesGone')} hint={t('noFavouritesHint')} />;
  }
  return (
    <ul class="cards">
      {events.map((event) => (
        <EventCard key={event.id} event={event} />
      ))}
    </ul>
  );
}

const SPORTS = 'sports';
const HOUR_MS = 3_600_000;
const SOON_HOURS = 24;
/** Events of a day. The events of one game have the same closing time, so they come together. */
const MOST_EVENTS = 100;
/** Scores come with the list; only prices come by the stream. */
const REFRESH_MS = 15_000;

/** The games of a day: those in play, then those that start soon. An exchange publishes when a game ends, not when it starts. */
interface NextGames {
  /** Slug and name of each league of the day, by name. */
  readonly leagues: readonly (readonly [slug: string, name: string])[];
  readonly live: readonly Game[];
  readonly soon: readonly Game[];
}

const NONE: NextGames = { leagues: [], live: [], soon: [] };

/**
 * Reads the games of the day, for the category of sports while the list is neither searched nor sorted.
 * @returns null until they are read, because the list would be pushed down if they came later
 */
function useNextGames({ category, league, search, sort }: Filter): NextGames | null {
  const { locale } = presentation.value;
  const isWanted = category === SPORTS && search === '' && sort === 'trending';
  const { state, again } = useLoading(
    async (signal): Promise<readonly CatalogueEvent[]> => {
      if (!isWanted) {
        return [];
      }
      // In whole hours, so that the address is the same for many customers.
      const until = new Date(Math.ceil(serviceNow() / HOUR_MS + SOON_HOURS) * HOUR_MS).toISOString();
      const query = new URLSearchParams({ category, sort: 'closing-soon', closesBefore: until, locale });
      query.set('limit', String(MOST_EVENTS));
      return (await call<EventList>(`/events?${query}`, { signal })).data;
    },
    [`${isWanted} ${locale}`],
  );
  useEffect(() => {
    const timer = isWanted ? window.setInterval(again, REFRESH_MS) : undefined;
    return () => window.clearInterval(timer);
  }, [isWanted]);
  const { data, failed } = state.value;
  if (!isWanted || (data === null && failed !== null)) {
    return NONE;
  }
  if (data === null) {
    return null;
  }
  const games = data.filter(({ eventType }) => eventType === 'game');
  const leagues = new Map(
    games.flatMap(({ league: slug, subtitle }) => (slug === null ? [] : [[slug, subtitle ?? slug]])),
  );
  const shown = groupGames(league === '' ? games : games.filter((game) => game.league === league));
  const isLive = ({ main, others }: Game) => [main, ...others].some(({ liveMatch }) => liveMatch !== null);
  return {
    leagues: [...leagues].sort(([, one], [, other]) => one.localeCompare(other)),
    live: shown.filter(isLive),
    soon: shown.filter((game) => !isLive(game)),
  };
}

/** One chip per league. Empty if there is no choice. */
function Leagues({ leagues }: Pick<NextGames, 'leagues'>) {
  const { league } = filter.value;
  const choose = (slug: string) => {
    filter.value = { ...filter.value, league: slug };
  };
  return leagues.length < 2 ? null : (
    <div class="chips leagues" role="group" aria-label={t('league')}>
      <Chip chosen={league === ''} text={t('all')} onPick={() => choose('')} />
      {leagues.map(([slug, name]) => (
        <Chip key={slug} chosen={league === slug} text={name} onPick={() => choose(slug)} />
      ))}
    </div>
  );
}

function GameSections({ games: { live, soon } }: { readonly games: NextGames }) {
  return (
    <>
      <GameSection title={t('live')} games={live} />
      <GameSection title={t('startingSoon')} games={soon} />
    </>
  );
}

function GameSection({ title, games }: { readonly title: string; readonly games: readonly Game[] }) {
  return games.length === 0 ? null : (
    <>
      <h2 class="part">{title}</h2>
      <ul class="cards">
        {games.map(({ main, others }) => (
          <EventCard key={main.id} event={main} others={others} />
        ))}
      </ul>
    </>
  );
}
