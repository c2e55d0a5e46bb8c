/**
 * One event in the list: a binary event as one number and two prices, a field by its most likely outcomes, a ladder by its middle
 * levels. A game also has one line for each of its other markets.
 */
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { seriesColours } from '../colours.ts';
import { FavouriteButton } from '../market/favourites.tsx';
import { categoryName, EventFacts, LiveClock, Score } from '../parts/facts.tsx';
import { Chance, ChanceBar, PriceButton } from '../parts/figures.tsx';
import { bySides, marketName, pointsOf } from '../parts/games.ts';
import { EventPicture, TeamMark } from '../parts/pictures.tsx';
import { Spark } from '../parts/spark.tsx';
import { go } from '../route.ts';
import { named, t } from '../texts/texts.ts';
import { byProbability, levelText, mostInDoubt, openOutcomes } from '../trading/price.ts';

const MOST_ROWS = 3;

interface EventCardProps {
  readonly event: CatalogueEvent;
  /** The other events of the same game. */
  readonly others?: readonly CatalogueEvent[];
}

export function EventCard({ event, others = [] }: EventCardProps) {
  const open = (outcome: Outcome | null, side: Side = 'YES') => openEvent(event, outcome, side);
  const rows = rowsOf(event);
  const isFixture = bySides(event) !== null;
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
            {(event.eventType === 'game' ? event.subtitle : null) ?? categoryName(event.category)}
            {isFixture && <LiveClock event={event} />}
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
      {!isFixture && <Score event={event} />}
      {event.kind === 'binary' && only !== undefined ? (
        <>
          <Spark event={event} outcome={only} />
          <div class="two">
            <PriceButton event={event} outcome={only} side="YES" onPick={() => open(only, 'YES')} />
            <PriceButton event={event} outcome={only} side="NO" onPick={() => open(only, 'NO')} />
          </div>
        </>
      ) : (
        <ul class="lines">
          {rows.map((outcome, index) => (
            <li key={outcome.id}>
              <span class="line-label">
                <TeamMark outcome={outcome} />
                <span>{outcome.label}</span>
                {pointsOf(event, outcome) !== null && <b class="points">{pointsOf(event, outcome)}</b>}
              </span>
              <Chance outcome={outcome} />
              <PriceButton event={event} outcome={outcome} side="YES" onPick={() => open(outcome)} />
              <ChanceBar outcome={outcome} colour={outcome.teamColor === null ? undefined : colours[index]} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul class="lines others">
          {others.map((other) => (
            <OtherLine key={other.id} event={other} />
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

/** Another market of the same game: its name, and its most uncertain line. */
function OtherLine({ event }: { readonly event: CatalogueEvent }) {
  const outcome = lineOf(event);
  return outcome === undefined ? null : (
    <li>
      <span class="line-label">
        <span>
          <button type="button" class="link" onClick={() => openEvent(event)} aria-label={event.title}>
            {marketName(event.title) ?? event.title}
          </button>
          <small>{outcome.label}</small>
        </span>
      </span>
      <Chance outcome={outcome} />
      <PriceButton event={event} outcome={outcome} side="YES" onPick={() => openEvent(event, outcome)} />
    </li>
  );
}

function openEvent({ id }: CatalogueEvent, outcome: Outcome | null = null, side: Side = 'YES'): void {
  go({ name: 'event', eventId: id, pick: outcome === null ? null : { contractId: outcome.id, side } });
}

/** Ids of the contracts whose prices a card shows. */
export function shownOutcomes(event: CatalogueEvent, others: readonly CatalogueEvent[] = []): string[] {
  return [...rowsOf(event), ...others.flatMap((other) => lineOf(other) ?? [])].map(({ id }) => id);
}

function rowsOf(event: CatalogueEvent): Outcome[] {
  const { kind, outcomes } = event;
  if (kind === 'binary') {
    return outcomes.slice(0, 1);
  }
  if (kind !== 'cumulative_ladder') {
    return (bySides(event) ?? byProbability(outcomes)).slice(0, MOST_ROWS);
  }
  return mostInDoubt(openOutcomes(outcomes), MOST_ROWS);
}

function lineOf({ outcomes }: CatalogueEvent): Outcome | undefined {
  return mostInDoubt(openOutcomes(outcomes), 1)[0];
}
