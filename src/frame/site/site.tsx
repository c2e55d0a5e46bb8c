/** The front page of the public website: a description of the service, the live demo, the code, and the catalogue. */
import { render } from 'preact';
import { readBoot } from '../boot.ts';
import { Sample } from '../demo/sample.tsx';
import { Stage } from '../demo/stage.tsx';
import { followMarkets, Markets } from './markets.tsx';
import '../styles.css';
import '../styles/site.css';

const hasDemo = readBoot<{ frame?: string }>().frame !== undefined;
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

const root = document.getElementById('app');
if (root !== null) {
  render(<Site />, root);
}
followMarkets();
