/** The catalogue on the website, with prices for information only. */
import { signal } from '@preact/signals';
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { readBoot } from '../boot.ts';
import { count, day, price, probability } from '../format.ts';
import { groupGames } from '../parts/games.ts';
import { EventPicture } from '../parts/pictures.tsx';
import { byProbability, decidedLast, resultOf } from '../trading/price.ts';
import { mixCategories } from './mix-categories.ts';

const { categories } = readBoot<{ categories: readonly string[] }>();
const REFRESH_MS = 10_000;
const SHOWN = 9;
/** More events are read than are shown, because categories take turns and the events of one game share a card. */
const READ = 50;

const category = signal('');
const list = signal<readonly CatalogueEvent[] | null>(null);
const failed = signal(false);

async function load(): Promise<void> {
  const wanted = category.value;
  try {
    const response = await fetch(`/api/events?limit=${READ}${wanted === '' ? '' : `&category=${wanted}`}`);
    if (!response.ok) {
      throw new Error(String(response.status));
    }
    const page = (await response.json()) as EventList;
    if (wanted === category.value) {
      const events = groupGames(page.data).map(({ main }) => main);
      list.value = mixCategories(events, SHOWN);
    }
    failed.value = false;
  } catch {
    failed.value = true;
  }
}

/** Reads the list now and at an interval, for as long as the page is open. */
export function followMarkets(): void {
  void load();
  window.setInterval(load, REFRESH_MS);
}

export function Markets() {
  return (
    <>
      <div class="chips" role="group" aria-label="Category">
        {['', ...categories].map((name) => (
          <button
            type="button"
            key={name}
            class="chip"
            aria-pressed={category.value === name}
            onClick={() => {
              category.value = name;
              void load();
            }}
          >
            {name === '' ? 'All' : name[0]?.toUpperCase() + name.slice(1)}
          </button>
        ))}
      </div>
      {failed.value && (
        <p class="banner" role="status">
          The service cannot be reached. Trying again…
        </p>
      )}
      {list.value === null ? (
        <p class="empty quiet">{failed.value ? '' : 'Loading…'}</p>
      ) : list.value.length === 0 ? (
        <p class="empty quiet">There are no markets here right now.</p>
      ) : (
        <ul class="cards">
          {list.value.map((event) => (
            <Card key={event.id} event={event} />
          ))}
        </ul>
      )}
    </>
  );
}

function Card({ event }: { readonly event: CatalogueEvent }) {
  return (
    <li class="card">
      <div class="card-head">
        <EventPicture event={event} />
        <div>
          <p class="over">{event.category}</p>
          <h3>{event.title}</h3>
        </div>
      </div>
      <ul class="lines">
        {decidedLast(byProbability(event.outcomes))
          .slice(0, 3)
          .map((outcome) => (
            <li key={outcome.id}>
              <span class="line-label">
                <span>{outcome.label}</span>
              </span>
              <span class="chance">{outcome.resolution === undefined && probability(outcome.probability)}</span>
              <span class="look quiet">
                {outcome.resolution === undefined
                  ? (price(outcome.executableYesCents) ?? 'no price')
                  : resultOf(outcome, 'YES').text}
              </span>
            </li>
          ))}
      </ul>
      <p class="facts">
        <span>{count(event.volume24hContracts)} contracts in 24 h</span>
        <span>Closes {day(event.closesAt)}</span>
      </p>
    </li>
  );
}
