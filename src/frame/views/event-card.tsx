/** One event in the list: a binary event as one number and two prices, a field by its most likely outcomes, a ladder by its middle levels. */

import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { FavouriteButton } from '../market/favourite-button.tsx';
import { EventPicture } from '../parts/event-picture.tsx';
import { categoryName, EventFacts, Score } from '../parts/facts.tsx';
import { TeamMark } from '../parts/marks.tsx';
import { Chance, ChanceBar, PriceButton } from '../parts/prices.tsx';
import { go } from '../route.ts';
import { named, t } from '../texts/texts.ts';
import { byProbability, levelText, mostInDoubt } from '../trading/price.ts';
import { seriesColours } from '../trading/series-colours.ts';

const MOST_ROWS = 3;

export function EventCard({ event }: { readonly event: CatalogueEvent }) {
  const open = (outcome: Outcome | null, side: Side = 'YES') =>
    go({ name: 'event', eventId: event.id, pick: outcome === null ? null : { contractId: outcome.id, side } });
  const rows = rowsOf(event);
  const [only] = rows;
  const colours = seriesColours(rows);
  // Nearly every market was traded today, and the volume is shown below.
  const reason = event.trending?.reasons.find((one) => one !== 'traded_today');
  return (
    <li class="card">
      <div class="card-head">
        <EventPicture event={event} />
        <div>
          <p class="over">
            {categoryName(event.category)}
            {reason !== undefined && <span class="reason">{named('reason_', reason, '')}</span>}
          </p>
          <h2>
            <button type="button" class="title" onClick={() => open(null)}>
              {event.title}
            </button>
          </h2>
        </div>
        {event.kind === 'binary' && only !== undefined && <Chance outcome={only} large />}
        {event.kind === 'cumulative_ladder' && levelText(event) !== null && (
          <span class="chance large expected">
            {levelText(event)}
            <small>{t('impliedLevel')}</small>
          </span>
        )}
      </div>
      <Score event={event} brief />
      {event.kind === 'binary' && only !== undefined ? (
        <div class="two">
          <PriceButton event={event} outcome={only} side="YES" onPick={() => open(only, 'YES')} />
          <PriceButton event={event} outcome={only} side="NO" onPick={() => open(only, 'NO')} />
        </div>
      ) : (
        <ul class="lines">
          {rows.map((outcome, index) => (
            <li key={outcome.id}>
              <span class="line-label">
                <TeamMark outcome={outcome} />
                <span>{outcome.label}</span>
              </span>
              <Chance outcome={outcome} />
              <PriceButton event={event} outcome={outcome} side="YES" onPick={() => open(outcome)} />
              <ChanceBar outcome={outcome} colour={outcome.teamColor === null ? undefined : colours[index]} />
            </li>
          ))}
        </ul>
      )}
      <div class="card-foot">
        <FavouriteButton event={event} />
        <EventFacts event={event} />
        {event.outcomeCount > rows.length && (
          <button
            type="button"
            class="link"
            onClick={() => open(null)}
            aria-label={`${t('moreOutcomes', { n: event.outcomeCount - rows.length })}: ${event.title}`}
          >
            {t('moreOutcomes', { n: event.outcomeCount - rows.length })}
          </button>
        )}
      </div>
    </li>
  );
}

/** Ids of the contracts whose prices a card shows. */
export function shownOutcomes(event: CatalogueEvent): string[] {
  return rowsOf(event).map(({ id }) => id);
}

function rowsOf({ kind, outcomes }: CatalogueEvent): Outcome[] {
  if (kind === 'binary') {
    return outcomes.slice(0, 1);
  }
  if (kind !== 'cumulative_ladder') {
    return byProbability(outcomes).slice(0, MOST_ROWS);
  }
  return mostInDoubt(outcomes, MOST_ROWS);
}
