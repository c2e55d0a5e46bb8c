/**
 * The markets that a customer marked, newest first, and the star that marks one. The browser keeps them on this device, separately
 * for each operator and customer, and they are never sent to the service. If the browser keeps nothing for an embedded page, they
 * last as long as the page.
 */
import { computed, signal } from '@preact/signals';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { boot } from '../boot.ts';
import { Icon } from '../parts/pictures.tsx';
import { session } from '../session.ts';
import { t } from '../texts/texts.ts';

/** The list of favourites needs one call for each, and a session has a limited number of calls. */
const MOST_FAVOURITES = 40;
const EVENT_ID = /^evt_[A-Za-z0-9_-]{1,100}$/;

const key = computed(() =>
  session.value.status === 'ready'
    ? `inlay.favourites.${boot.operator.slug}.${session.value.facts.externalUserId}`
    : null,
);
/** The favourites that were changed since the page was opened, by key. They take precedence over those that the browser kept. */
const marked = signal<Readonly<Record<string, readonly string[]>>>({});

/** Ids of events. */
export const favourites = computed<readonly string[]>(() =>
  key.value === null ? [] : (marked.value[key.value] ?? read(key.value)),
);

function toggleFavourite(eventId: string): void {
  const name = key.peek();
  if (name === null) {
    return;
  }
  const before = favourites.peek();
  const others = before.filter((id) => id !== eventId);
  const next = others.length < before.length ? others : [eventId, ...others].slice(0, MOST_FAVOURITES);
  marked.value = { ...marked.peek(), [name]: next };
  try {
    window.localStorage.setItem(name, JSON.stringify(next));
  } catch {
    // A browser may refuse to keep anything for an embedded page.
  }
}

function read(name: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((id): id is string => typeof id === 'string' && EVENT_ID.test(id)).slice(0, MOST_FAVOURITES)
      : [];
  } catch {
    return [];
  }
}

/** The star of a market, pressed while the market is a favourite. */
export function FavouriteButton({ event }: { readonly event: CatalogueEvent }) {
  return (
    <button
      type="button"
      class="tool star"
      aria-pressed={favourites.value.includes(event.id)}
      aria-label={t('favourite', { title: event.title })}
      onClick={() => toggleFavourite(event.id)}
    >
      <Icon name="star" />
    </button>
  );
}
