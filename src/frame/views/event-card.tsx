/**
 * One event in the list: a binary event as one number and two prices, a field by its most likely outcomes, a ladder by its middle
 * levels, a game by its sides. A game also has one line for each of its other markets.
 */
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { FavouriteButton } from '../market/favourites.tsx';
import { categoryName, EventFacts, LiveClock, Score } from '../parts/facts.tsx';
import { Chance, ChanceBar, Sides, TeamPrices, YesPrice } from '../parts/figures.tsx';
import { bySides, marketName, pointsOf } from '../parts/games.ts';
import { EventPicture, TeamMark } from '../parts/pictures.tsx';
import { Spark } from '../parts/spark.tsx';
import { go } from '../route.ts';
import { named, t } from '../texts/texts.ts';
import { byProbability, decidedLast, levelText, mostInDoubt, openOutcomes } from '../trading/price.ts';

const MOST_ROWS = 3;

interface EventCardProps {
  readonly event: CatalogueEvent;
  /** The other events of the same game. */
  readonly others?: readonly CatalogueEvent[];
}

export function EventCard({ event, others = [] }: EventCardProps) {
  const open = (outcome: Outcome | null, side: Side = 'YES') => openEvent(event, outcome, side);
  const rows = rowsOf(event);
  const sides = bySides(event);
  const [only] = rows;
  // Nearly every market was traded today, and the volume is shown below.
  const reason = event.trending?.reasons.find((one) => one !== 'traded_today');
  return (
    <li class="card">
      <div class="card-head">
        <EventPicture event={event} />
        <div>
          <p class="over">
            {(event.eventType === 'game' ? event.subtitle : null) ?? categoryName(event.category)}
            {sides !== null && <LiveClock event={event} />}
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
      {sides === null && <Score event={event} />}
      {event.kind === 'binary' && only !== undefined ? (
        <>
          <Spark event={event} outcome={only} />
          <div class="two">
            <Sides event={event} outcome={only} onPick={(side) => open(only, side)} />
          </div>
        </>
      ) : (
        <ul class={sides === null ? 'lines' : 'lines sides'}>
          {rows.map((outcome) => (
            <li key={outcome.id}>
              <span class="line-label">
                <TeamMark outcome={outcome} />
                <span>{outcome.label}</span>
                {pointsOf(event, outcome) !== null && <b class="points">{pointsOf(event, outcome)}</b>}
              </span>
              <Chance outcome={outcome} />
              {sides === null && <YesPrice event={event} outcome={outcome} onPick={() => open(outcome)} />}
              <ChanceBar outcome={outcome} />
            </li>
          ))}
        </ul>
      )}
      {sides !== null && <TeamPrices event={event} sides={sides} pick={null} onPick={open} />}
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
      <YesPrice event={event} outcome={outcome} onPick={() => openEvent(event, outcome)} />
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
    return bySides(event) ?? decidedLast(byProbability(outcomes)).slice(0, MOST_ROWS);
  }
  return mostInDoubt(openOutcomes(outcomes), MOST_ROWS);
}

function lineOf({ outcomes }: CatalogueEvent): Outcome | undefined {
  return mostInDoubt(openOutcomes(outcomes), 1)[0];
}
