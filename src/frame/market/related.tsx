/** The ways from a market to others: the markets of the same game, and other markets of the category. */
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { probability } from '../format.ts';
import { categoryName } from '../parts/facts.tsx';
import { gameOf, groupGames, marketName } from '../parts/games.ts';
import { EventPicture } from '../parts/pictures.tsx';
import { Skeletons } from '../parts/states.tsx';
import { go } from '../route.ts';
import { call, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { byProbability, decidedLast, levelText, winnerOf } from '../trading/price.ts';

const MOST_RELATED = 4;
/** A game takes up several events, and a league plays several games. */
const MOST_READ = 50;

/** The result, the total and the margin of one game, each as a button. Empty for an event that is alone. */
export function GameMarkets({ event }: { readonly event: CatalogueEvent }) {
  const { state } = useEvents(event.eventType === 'game' ? { league: event.league ?? '' } : null);
  const game = state.value.data?.data.filter((other) => gameOf(other) === gameOf(event)) ?? [];
  return game.length < 2 ? null : (
    <nav class="game-markets" aria-label={t('gameMarkets')}>
      {game.toSorted(byMarket).map(({ id, title }) => (
        <button
          type="button"
          key={id}
          class="chip"
          aria-current={id === event.id ? 'page' : undefined}
          onClick={() => go({ name: 'event', eventId: id, pick: null })}
        >
          {marketName(title) ?? t('gameResult')}
        </button>
      ))}
    </nav>
  );
}

/** The result first, then by name. */
function byMarket(one: CatalogueEvent, other: CatalogueEvent): number {
  return (marketName(one.title) ?? '').localeCompare(marketName(other.title) ?? '');
}

function useEvents(within: Readonly<Record<string, string>> | null) {
  const { locale } = presentation.value;
  const query = new URLSearchParams({ ...within, sort: 'trending', limit: String(MOST_READ), locale });
  const path = within === null ? null : `/events?${query}`;
  return useLoading(
    (signal) => (path === null ? Promise.resolve(null) : call<EventList>(path, { signal })),
    [path ?? ''],
  );
}

export function Related({ event }: { readonly event: CatalogueEvent }) {
  const { state } = useEvents({ category: event.category });
  const { data, failed } = state.value;
  const others = groupGames(data?.data ?? [])
    .filter(({ main }) => main.id !== event.id && gameOf(main) !== gameOf(event))
    .slice(0, MOST_RELATED)
    .map(({ main }) => main);
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
                <small>{leaderText(other)}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The winner, or the most likely outcome with its probability. For a binary event the probability alone, for a ladder the expected level. */
function leaderText(event: CatalogueEvent): string {
  const level = levelText(event);
  if (level !== null) {
    return `${t('impliedLevel')}: ${level}`;
  }
  const winner = winnerOf(event);
  if (winner !== undefined) {
    return `${winner.label} · ${t('outcome_won')}`;
  }
  const [first] = decidedLast(byProbability(event.outcomes));
  const chance = probability(first?.probability);
  return event.kind === 'binary' ? `${chance} ${t('chance')}` : `${first?.label ?? ''} · ${chance}`;
}
