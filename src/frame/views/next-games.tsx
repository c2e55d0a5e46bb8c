/** The games of a day above the list of sports: those in play, then those that start soon. An exchange tells when a game ends, not when it starts. */
import { useEffect } from 'preact/hooks';
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { type Game, groupGames } from '../games.ts';
import { useLoading } from '../loading.ts';
import { type Filter, filter } from '../market/filter.ts';
import { Chip } from '../market/filters.tsx';
import { call } from '../service.ts';
import { serviceNow } from '../service-clock.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { EventCard } from './event-card.tsx';

const SPORTS = 'sports';
const HOUR_MS = 3_600_000;
const SOON_HOURS = 24;
/** Of a day; the events of one game have the same closing time and come together. */
const MOST_EVENTS = 100;
/** Scores are part of the list; only prices come by the stream. */
const REFRESH_MS = 15_000;

export interface NextGames {
  /** Slug and name of each league of the day, by name. */
  readonly leagues: readonly (readonly [slug: string, name: string])[];
  readonly live: readonly Game[];
  readonly soon: readonly Game[];
}

const NONE: NextGames = { leagues: [], live: [], soon: [] };

/**
 * @param filter of the list; only the category of sports has games, and only while nothing is searched or sorted
 * @returns null until they are read: what came later would push the list down
 */
export function useNextGames({ category, league, search, sort }: Filter): NextGames | null {
  const { locale } = presentation.value;
  const isWanted = category === SPORTS && search === '' && sort === 'trending';
  const { state, again } = useLoading(
    async (signal): Promise<readonly CatalogueEvent[]> => {
      if (!isWanted) {
        return [];
      }
      // by the hour, so that the address is the same for many customers
      const until = new Date(Math.ceil(serviceNow() / HOUR_MS + SOON_HOURS) * HOUR_MS).toISOString();
      const query = new URLSearchParams({ category, sort: 'closing-soon', closesBefore: until, locale });
      query.set('limit', String(MOST_EVENTS));
      return (await call<EventList>(`/events?${query}`, { signal })).data;
    },
    [`${isWanted} ${locale}`],
  );
  useEffect(() => {
    const timer = isWanted ? window.setInterval(again, REFRESH_MS) : undefined;
    return () => window.clearInterval(timer);
  }, [isWanted]);
  const { data, failed } = state.value;
  if (!isWanted || (data === null && failed !== null)) {
    return NONE;
  }
  if (data === null) {
    return null;
  }
  const games = data.filter(({ eventType }) => eventType === 'game');
  const leagues = new Map(
    games.flatMap(({ league: slug, subtitle }) => (slug === null ? [] : [[slug, subtitle ?? slug]])),
  );
  const shown = groupGames(league === '' ? games : games.filter((game) => game.league === league));
  const isLive = ({ main, others }: Game) => [main, ...others].some(({ liveMatch }) => liveMatch !== null);
  return {
    leagues: [...leagues].sort(([, one], [, other]) => one.localeCompare(other)),
    live: shown.filter(isLive),
    soon: shown.filter((game) => !isLive(game)),
  };
}

/** One chip a league; nothing where there is no choice. */
export function Leagues({ leagues }: Pick<NextGames, 'leagues'>) {
  const { league } = filter.value;
  const choose = (slug: string) => {
    filter.value = { ...filter.value, league: slug };
  };
  return leagues.length < 2 ? null : (
    <div class="chips leagues" role="group" aria-label={t('league')}>
      <Chip chosen={league === ''} text={t('all')} onPick={() => choose('')} />
      {leagues.map(([slug, name]) => (
        <Chip key={slug} chosen={league === slug} text={name} onPick={() => choose(slug)} />
      ))}
    </div>
  );
}

export function GameSections({ games: { live, soon } }: { readonly games: NextGames }) {
  return (
    <>
      <GameSection title={t('live')} games={live} />
      <GameSection title={t('startingSoon')} games={soon} />
    </>
  );
}

function GameSection({ title, games }: { readonly title: string; readonly games: readonly Game[] }) {
  return games.length === 0 ? null : (
    <>
      <h2 class="part">{title}</h2>
      <ul class="cards">
        {games.map(({ main, others }) => (
          <EventCard key={main.id} event={main} others={others} />
        ))}
      </ul>
    </>
  );
}
