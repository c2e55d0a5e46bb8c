/**
 * The markets that a customer marked, newest first. They are kept by the browser on this device, separately for each operator and
 * customer, and are never sent to the service. Where the browser keeps nothing for an embedded page, they last as long as the page.
 */
import { computed, signal } from '@preact/signals';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { boot } from '../boot.ts';
import { Icon } from '../parts/parts.tsx';
import { session } from '../session/session.ts';
import { t } from '../texts/texts.ts';

/** Each one is a call when they are listed, and a session has a limited number of calls. */
const MOST_FAVOURITES = 40;
const EVENT_ID = /^evt_[A-Za-z0-9_-]{1,100}$/;

const key = computed(() =>
  session.value.status === 'ready'
    ? `inlay.favourites.${boot.operator.slug}.${session.value.facts.externalUserId}`
    : null,
);
/** What was marked since the page was opened, by key; it takes precedence over what the browser kept. */
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
