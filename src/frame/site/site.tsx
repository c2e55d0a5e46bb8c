/** The public website: the catalogue, with prices for information only. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { readBoot } from '../boot.ts';
import { cents, count, day, probability } from '../format.ts';
import { EventPicture } from '../parts/marks.tsx';
import { byProbability } from '../trading/price.ts';
import '../styles.css';
import './site.css';

const { demo, categories } = readBoot<{ demo: boolean; categories: readonly string[] }>();
const REFRESH_MS = 10_000;

const category = signal('');
const list = signal<EventList | null>(null);
const failed = signal(false);

async function load(): Promise<void> {
  const wanted = category.value;
  try {
    const response = await fetch(`/api/events?limit=30${wanted === '' ? '' : `&category=${wanted}`}`);
    if (!response.ok) {
      throw new Error(String(response.status));
    }
    const page = (await response.json()) as EventList;
    if (wanted === category.value) {
      list.value = page;
    }
    failed.value = false;
  } catch {
    failed.value = true;
  }
}

function Site() {
  return (
    <div class="frame site">
      <header>
        <b class="brand">Inlay</b>
        <nav aria-label="Site">
          {demo && <a href="/demo">Demo</a>}
          <a href="/docs">API</a>
        </nav>
      </header>
      <section class="hero">
        <h1>Prediction markets inside your own site, on your own ledger.</h1>
        <p>
          A catalogue, live prices, quotes, fills and settlement for operators: framed in a page or over an API. What
          you see below is live.
        </p>
      </section>
      <main>
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
        ) : list.value.data.length === 0 ? (
          <p class="empty quiet">There are no markets here right now.</p>
        ) : (
          <ul class="cards">
            {list.value.data.map((event) => (
              <Card key={event.id} event={event} />
            ))}
          </ul>
        )}
      </main>
      <footer class="practice">Prices are for information only. To trade, use the site of an operator.</footer>
    </div>
  );
}

function Card({ event }: { readonly event: CatalogueEvent }) {
  return (
    <li class="card">
      <div class="card-head">
        <EventPicture url={event.imageUrl} />
        <div>
          <p class="over">{event.category}</p>
          <h2>{event.title}</h2>
        </div>
      </div>
      <ul class="lines">
        {byProbability(event.outcomes)
          .slice(0, 3)
          .map((outcome) => (
            <li key={outcome.id}>
              <span class="line-label">
                <span>{outcome.label}</span>
              </span>
              <span class="chance">{probability(outcome.probability)}</span>
              <span class="look quiet">{cents(outcome.executableYesCents) ?? 'no price'}</span>
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

const root = document.getElementById('app');
if (root !== null) {
  render(<Site />, root);
}
void load();
window.setInterval(load, REFRESH_MS);
