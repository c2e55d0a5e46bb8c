/** The public website: the catalogue, with prices for information only. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { CatalogueEvent, EventList } from '../../wire/catalogue.ts';
import { readBoot } from '../boot.ts';
import { Sample } from '../demo/sample.tsx';
import { Stage } from '../demo/stage.tsx';
import { cents, count, day, probability } from '../format.ts';
import { EventPicture } from '../parts/marks.tsx';
import { byProbability } from '../trading/price.ts';
import '../styles.css';
import './site.css';

const { frame, categories } = readBoot<{ frame?: string; categories: readonly string[] }>();
const hasDemo = frame !== undefined;
const REFRESH_MS = 10_000;

const category = signal('');
const list = signal<EventList | null>(null);
const failed = signal(false);

async function load(): Promise<void> {
  const wanted = category.value;
  try {
    const response = await fetch(`/api/events?limit=9${wanted === '' ? '' : `&category=${wanted}`}`);
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

const STEPS = [
  [
    'You keep the money',
    'Customers stay customers of yours, and so does their cash. Each trade reaches your ledger as an exact instruction, to the cent.',
  ],
  [
    'You choose the look',
    'One frame in your colours, your language and your density, or your own screens over the same API.',
  ],
  [
    'You can check everything',
    'A feed of every fact that moved money, numbered without gaps and signed, with a report that compares it with your books.',
  ],
] as const;

const FLOW = [
  ['Held', 'A customer asks for a price. You put the stake on hold in your own ledger.'],
  ['Charged', 'The order is filled. You charge what was filled, and release the rest.'],
  ['Returned', 'The customer cashes out early. You pay the amount that the order names.'],
  ['Paid out', 'The event is decided. You pay the winners, one dollar for each contract.'],
] as const;

function Site() {
  return (
    <div class="frame site">
      <header>
        <a class="brand" href="/">
          Inlay
        </a>
        <nav aria-label="Site">
          {hasDemo && <a href="/demo">Demo</a>}
          <a href="/docs">Documentation</a>
        </nav>
      </header>
      <main>
        <section class="hero">
          <h1>Prediction markets inside your own site, on your own ledger.</h1>
          <p>
            Sports, elections, prices, the weather: give your customers a view on what happens next. Inlay brings the
            markets, the live prices and the settlement. The customers and the money stay yours.
          </p>
          <p class="calls">
            {hasDemo && (
              <a class="call" href="/demo">
                Open the demo
              </a>
            )}
            <a class={hasDemo ? 'call second' : 'call'} href="/docs/guides/first-trade">
              Make a first trade
            </a>
          </p>
        </section>
        {hasDemo && (
          <>
            <div class="middle">
              <h2 class="part">One service, three different sites</h2>
              <p class="part-text">
                The real frame with practice money. Buy something, and watch the customer’s balance and your ledger.
              </p>
            </div>
            <Stage />
          </>
        )}
        <h2 class="part">What moves, and when</h2>
        <p class="part-text">Four moments, each with one exact amount. Inlay never holds your customers’ money.</p>
        <ol class="flow">
          {FLOW.map(([title, text]) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <ul class="steps">
          {STEPS.map(([title, text]) => (
            <li key={title}>
              <h2>{title}</h2>
              <p class="quiet">{text}</p>
            </li>
          ))}
        </ul>
        {hasDemo && <Sample />}
        <h2 class="part">Open now</h2>
        <p class="part-text">Some of the markets that your customers would see, with live prices.</p>
        <Markets />
      </main>
      <footer class="practice">Prices are for information only. To trade, use the site of an operator.</footer>
    </div>
  );
}

function Markets() {
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
      ) : list.value.data.length === 0 ? (
        <p class="empty quiet">There are no markets here right now.</p>
      ) : (
        <ul class="cards">
          {list.value.data.map((event) => (
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
        <EventPicture url={event.imageUrl} />
        <div>
          <p class="over">{event.category}</p>
          <h3>{event.title}</h3>
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
