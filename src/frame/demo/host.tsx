/**
 * The demo's page, at another origin than the frame. It acts as the website of an operator around the frame, and below it
 * shows the code of such a page, its settings, and the messages that it exchanges with the frame.
 */
import { render } from 'preact';
import { Controls, Talk } from './controls.tsx';
import { Sample } from './sample.tsx';
import { Stage } from './stage.tsx';
import '../styles.css';
import '../styles/site.css';
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
