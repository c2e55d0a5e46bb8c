/** Markets by category, with search. If the customer's jurisdiction is not permitted, the view says so instead of listing. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { CatalogueEvent, CategoryList, EventList } from '../../wire/catalogue.ts';
import { useLoading } from '../loading.ts';
import { FavouriteMarkets } from '../market/favourite-markets.tsx';
import { categoryName } from '../parts/facts.tsx';
import { Icon } from '../parts/marks.tsx';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { go } from '../route.ts';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { EventCard, shownOutcomes } from './event-card.tsx';
import { filter, SORTS } from './filter.ts';

const PAGE = 24;
const TYPING_MS = 250;

export function Markets() {
  return filter.value.favourites ? (
    <section aria-label={t('favourites')}>
      <Filters />
      <FavouriteMarkets />
    </section>
  ) : (
    <AllMarkets />
  );
}

function AllMarkets() {
  const { category, search, sort } = filter.value;
  const { locale } = presentation.value;
  const query = new URLSearchParams({ sort, locale, limit: String(PAGE) });
  if (category !== '') {
    query.set('category', category);
  }
  if (search !== '') {
    query.set('search', search);
  }
  const first = query.toString();
  const { state, again } = useLoading((signal) => call<EventList>(`/events?${first}`, { signal }), [first]);
  const further = useSignal<{ of: string; pages: readonly EventList[]; busy: boolean }>({
    of: first,
    pages: [],
    busy: false,
  });
  const { data, failed, busy } = state.value;
  const pages = data === null ? [] : [data, ...(further.value.of === first ? further.value.pages : [])];
  const events = useMemo(() => distinct(pages.flatMap((page) => page.data)), [data, further.value.pages]);
  const cursor = pages.at(-1)?.pagination.nextCursor ?? null;

  const shown = events.flatMap(shownOutcomes).join(',');
  useEffect(() => watchPrices(shown === '' ? [] : shown.split(',')), [shown]);

  const loadMore = async () => {
    if (cursor === null || further.value.busy) {
      return;
    }
    const had = further.value.of === first ? further.value.pages : [];
    further.value = { of: first, pages: had, busy: true };
    const page = await call<EventList>(`/events?${first}&cursor=${encodeURIComponent(cursor)}`).catch(() => null);
    further.value = { of: first, pages: page === null ? had : [...had, page], busy: false };
  };

  const isBlocked = data?.jurisdiction !== undefined && events.length === 0 && category === '' && search === '';
  return (
    <section aria-label={t('markets')}>
      {!isBlocked && <Filters />}
      {isBlocked ? (
        <Empty icon="chart" title={t('notOfferedHere')} hint={t('notOfferedHint')}>
          <button type="button" class="button plain" onClick={() => go({ name: 'positions' })}>
            {t('viewPositions')}
          </button>
        </Empty>
      ) : data !== null && events.length === 0 ? (
        <Nothing />
      ) : data !== null ? (
        <>
          <ul class="cards" aria-busy={busy}>
            {events.map((event) => (
              <EventCard key={event.id} event={event} />
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

function Nothing() {
  const { search } = filter.value;
  if (search === '') {
    return <Empty icon="chart" title={t('noMarkets')} hint={t('noMarketsHint')} />;
  }
  const clear = () => {
    filter.value = { ...filter.value, search: '' };
  };
  return (
    <Empty icon="search" title={t('searchNone', { text: search })}>
      <button type="button" class="button plain" onClick={clear}>
        {t('clearSearch')}
      </button>
    </Empty>
  );
}

function Filters() {
  const { state } = useLoading((signal) => call<CategoryList>('/categories', { signal }), ['categories']);
  const typed = useRef<HTMLInputElement>(null);
  const waiting = useRef(0);
  const { category, favourites, search, sort } = filter.value;
  useEffect(() => {
    if (typed.current !== null && search === '') {
      typed.current.value = '';
    }
  }, [search]);
  const set = (change: Partial<typeof filter.value>) => {
    filter.value = { ...filter.value, ...change };
  };
  const type = (text: string) => {
    window.clearTimeout(waiting.current);
    waiting.current = window.setTimeout(() => set({ search: text.trim().slice(0, 100), favourites: false }), TYPING_MS);
  };
  return (
    <div class="filters">
      <div class="finding">
        <label class="search">
          <Icon name="search" />
          <input
            ref={typed}
            type="search"
            enterkeyhint="search"
            autocomplete="off"
            aria-label={t('search')}
            placeholder={t('searchShort')}
            defaultValue={search}
            maxLength={100}
            onInput={(event) => type(event.currentTarget.value)}
          />
        </label>
        <label class="select">
          <span class="unseen">{t('sort')}</span>
          <select
            value={sort}
            onChange={(event) =>
              set({ sort: SORTS.find((name) => name === event.currentTarget.value) ?? 'trending', favourites: false })
            }
          >
            {SORTS.map((name) => (
              <option key={name} value={name}>
                {t(`sort_${name}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="chips" role="group" aria-label={t('category')}>
        <Chip
          chosen={category === '' && !favourites}
          text={t('all')}
          onPick={() => set({ category: '', favourites: false })}
        />
        <Chip chosen={favourites} text={`★ ${t('favourites')}`} onPick={() => set({ favourites: true })} />
        {state.value.data?.data.map((one) => (
          <Chip
            key={one.category}
            chosen={category === one.category && !favourites}
            text={categoryName(one.category, one.label)}
            onPick={() => set({ category: one.category, favourites: false })}
          />
        ))}
      </div>
    </div>
  );
}

function Chip(props: { readonly chosen: boolean; readonly text: string; readonly onPick: () => void }) {
  return (
    <button type="button" class="chip" aria-pressed={props.chosen} onClick={props.onPick}>
      {props.text}
    </button>
  );
}

/** Under `trending` an event may appear on two pages. */
function distinct(events: readonly CatalogueEvent[]): CatalogueEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}
