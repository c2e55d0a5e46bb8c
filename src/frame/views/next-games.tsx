/** The games of a day above the list of sports: those in play, then those that start soon. An exchange tells when a game ends, not when it starts. */
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { type Game, groupGames } from '../games.ts';
import { useLoading } from '../loading.ts';
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

export interface NextGames {
  readonly live: readonly Game[];
  readonly soon: readonly Game[];
}

const NONE: NextGames = { live: [], soon: [] };

/**
 * @param category of the list; only that of sports has games
 * @returns null until they are read: what came later would push the list down
 */
export function useNextGames(category: string, isPlain: boolean): NextGames | null {
  const { locale } = presentation.value;
  const isWanted = category === SPORTS && isPlain;
  const { state } = useLoading(
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
  const { data, failed } = state.value;
  if (!isWanted || (data === null && failed !== null)) {
    return NONE;
  }
  if (data === null) {
    return null;
  }
  const games = groupGames(data.filter(({ eventType }) => eventType === 'game'));
  const isLive = ({ main, others }: Game) => [main, ...others].some(({ liveMatch }) => liveMatch !== null);
  return { live: games.filter(isLive), soon: games.filter((game) => !isLive(game)) };
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
