/**
 * The demo's host page: acts as an operator's website around the frame, on another origin than the frame's, with a cash ledger
 * that follows the service's instructions.
 */
import { render } from 'preact';
import { Cash, Settle } from './cash.tsx';
import { CLOTHES, Wardrobe, wear, worn } from './clothes.tsx';
import { Controls, Talk } from './controls.tsx';
import { Frame } from './frame.tsx';
import { follow } from './operator.ts';
import { Sample } from './sample.tsx';
import './host.css';

function Host() {
  return (
    <>
      <header class="site">
        <b>{worn.value.name}</b>
        <span>{worn.value.claim}</span>
        <Wardrobe />
      </header>
      <div class="host">
        <main>
          <Frame />
        </main>
        <aside>
          <Cash />
          <Settle />
          <Sample />
          <details>
            <summary>Change the look, the language and the session</summary>
            <Controls />
          </details>
          <details>
            <summary>Messages between page and frame</summary>
            <Talk />
          </details>
        </aside>
      </div>
    </>
  );
}

const [first] = CLOTHES;
if (first !== undefined) {
  wear(first);
}
const root = document.getElementById('app');
if (root !== null) {
  render(<Host />, root);
}
void follow();
