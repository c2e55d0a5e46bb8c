/** Markets by category, with search. If the customer's jurisdiction is not permitted, the view says so instead of listing. */
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { takeFocus } from '../focus.ts';
import { groupGames } from '../games.ts';
import { useLoading } from '../loading.ts';
import { type EventPage, readEventPage } from '../market/event-page.ts';
import { FavouriteMarkets } from '../market/favourite-markets.tsx';
import { filter } from '../market/filter.ts';
import { Filters, searchField } from '../market/filters.tsx';
import { categoryName } from '../parts/facts.tsx';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { go, hasMoved, restoreListScroll } from '../route.ts';
import { plural, t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { readAccount } from '../trading/account.ts';
import { EventCard, shownOutcomes } from './event-card.tsx';
import { GameSections, Leagues, useNextGames } from './next-games.tsx';

const PAGE = 24;

interface Further {
  /** The query of the first page. */
  readonly of: string;
  readonly pages: readonly EventPage[];
  readonly busy: boolean;
}

/** Pages after the first one; kept while the customer looks at an event. */
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
  // Only where the chips of leagues are seen, which take it back.
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

/** No market fits the search or the category; the way on takes one of them away. */
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

/** Under `trending` an event may appear on two pages. */
function distinct(events: readonly CatalogueEvent[]): CatalogueEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}
