/**
 * The demo's host page: acts as an operator's website around the frame, on another origin than the frame's, with a cash ledger
 * that follows the service's instructions.
 */
import { render } from 'preact';
import { Cash, Settle } from './cash.tsx';
import { Controls, Talk } from './controls.tsx';
import { Frame } from './frame.tsx';
import { follow } from './operator.ts';
import './host.css';

function Host() {
  return (
    <>
      <header class="site">
        <b>Northwind Casino</b>
        <span>an operator’s own page, on {window.location.origin}</span>
        <a href="/docs">API docs</a>
      </header>
      <div class="host">
        <main>
          <Frame />
        </main>
        <aside>
          <Cash />
          <Settle />
          <Controls />
          <Talk />
        </aside>
      </div>
    </>
  );
}

const root = document.getElementById('app');
if (root !== null) {
  render(<Host />, root);
}
void follow();
