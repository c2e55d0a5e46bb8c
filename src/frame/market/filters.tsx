/** The filter of the list of markets: search, order, categories and favourites, and the controls that set it. */
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CategoryList } from '../../wire/catalogue.ts';
import { categoryName } from '../parts/facts.tsx';
import { Icon } from '../parts/pictures.tsx';
import { call, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';

const SORTS = ['trending', 'volume', 'closing-soon', 'new'] as const;

export interface Filter {
  /** Shows the customer's favourites instead of a category. */
  readonly favourites: boolean;
  /** Empty for all categories. */
  readonly category: string;
  /** A league of sports; empty for all. */
  readonly league: string;
  readonly search: string;
  readonly sort: (typeof SORTS)[number];
}

/** It is kept while the customer looks at an event. */
export const filter = signal<Filter>({ favourites: false, category: '', league: '', search: '', sort: 'trending' });

const TYPING_MS = 250;

/** The focus returns to it when a search is cleared. */
export const searchField = createRef<HTMLInputElement>();

export function Filters() {
  const { state } = useLoading((signal) => call<CategoryList>('/categories', { signal }), ['categories']);
  const waiting = useRef(0);
  const { category, favourites, search, sort } = filter.value;
  useEffect(() => {
    if (searchField.current !== null && search === '') {
      searchField.current.value = '';
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
            ref={searchField}
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
          onPick={() => set({ category: '', league: '', favourites: false })}
        />
        <Chip chosen={favourites} text={`★ ${t('favourites')}`} onPick={() => set({ favourites: true })} />
        {state.value.data?.data.map((one) => (
          <Chip
            key={one.category}
            chosen={category === one.category && !favourites}
            text={categoryName(one.category, one.label)}
            onPick={() => set({ category: one.category, league: '', favourites: false })}
          />
        ))}
      </div>
    </div>
  );
}

export function Chip(props: { readonly chosen: boolean; readonly text: string; readonly onPick: () => void }) {
  return (
    <button type="button" class="chip" aria-pressed={props.chosen} onClick={props.onPick}>
      {props.text}
    </button>
  );
}
