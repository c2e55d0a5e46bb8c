/** Other markets of the same league or category. */
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { probability } from '../format.ts';
import { useLoading } from '../loading.ts';
import { EventPicture } from '../parts/event-picture.tsx';
import { categoryName } from '../parts/facts.tsx';
import { Skeletons } from '../parts/states.tsx';
import { go } from '../route.ts';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { byProbability, levelText } from '../trading/price.ts';

const MOST_RELATED = 4;

export function Related({ event }: { readonly event: CatalogueEvent }) {
  const query = new URLSearchParams({
    category: event.category,
    sort: 'trending',
    // The event itself may be among them.
    limit: String(MOST_RELATED + 1),
    locale: presentation.value.locale,
  });
  const path = `/events?${query}`;
  const { state } = useLoading((signal) => call<EventList>(path, { signal }), [path]);
  const { data, failed } = state.value;
  const others = (data?.data ?? []).filter(({ id }) => id !== event.id).slice(0, MOST_RELATED);
  if (failed !== null || (data !== null && others.length === 0)) {
    return null;
  }
  return (
    <section class="related" aria-labelledby="related-title">
      <h2 id="related-title">{t('related', { category: categoryName(event.category) })}</h2>
      {data === null ? (
        <Skeletons count={MOST_RELATED} kind="row" />
      ) : (
        <ul>
          {others.map((other) => (
            <li key={other.id}>
              <EventPicture event={other} />
              <span>
                <button
                  type="button"
                  class="title"
                  onClick={() => go({ name: 'event', eventId: other.id, pick: null })}
                >
                  {other.title}
                </button>
                <small>{leaderOf(other)}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The most likely outcome with its probability; of a binary event the probability, of a ladder the expected level. */
function leaderOf(event: CatalogueEvent): string {
  const level = levelText(event);
  if (level !== null) {
    return `${t('impliedLevel')}: ${level}`;
  }
  const [first] = byProbability(event.outcomes);
  const chance = probability(first?.probability);
  return event.kind === 'binary' ? `${chance} ${t('chance')}` : `${first?.label ?? ''} · ${chance}`;
}
