/** The customer's favourites as cards, newest first. */
import { useEffect } from 'preact/hooks';
import { useLoading } from '../loading.ts';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { EventCard, shownOutcomes } from '../views/event-card.tsx';
import { readEvents } from '../views/held-markets.ts';
import { favourites } from './favourites.ts';

export function FavouriteMarkets() {
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
