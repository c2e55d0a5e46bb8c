/**
 * The demo's page: acts as an operator's website around the frame, on another origin than the frame's, with a cash ledger
 * that follows the service's instructions, and shows what the operator's page decides and says to the frame.
 */
import { render } from 'preact';
import { Controls, Talk } from './controls.tsx';
import { Stage } from './house.tsx';
import { Sample } from './sample.tsx';
import '../styles.css';
import '../site/site.css';
import './host.css';

function Host() {
  return (
    <div class="frame site demo">
      <header>
        <a class="brand" href="/">
          Inlay
        </a>
        <nav aria-label="Site">
          <a href="/demo" aria-current="page">
            Demo
          </a>
          <a href="/docs">Documentation</a>
        </nav>
      </header>
      <main>
        <h1>One customer, three operators</h1>
        <p class="part-text">
          The page around the frame belongs to the operator. The markets, prices and tickets in it are Inlay’s. The
          money is practice money.
        </p>
        <Stage />
        <div class="workshop">
          <Sample />
          <Controls />
          <Talk />
        </div>
      </main>
    </div>
  );
}

const root = document.getElementById('app');
if (root !== null) {
  render(<Host />, root);
}
