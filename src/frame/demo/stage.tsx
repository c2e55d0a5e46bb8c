/** The live demo: an operator's site in one of three clothes with the frame in it, and beside it the ledger of that operator. */
import { useEffect } from 'preact/hooks';
import { Cash, Settle } from './cash.tsx';
import { CLOTHES, Wardrobe, wear, worn } from './clothes.tsx';
import { Frame } from './frame.tsx';
import { House } from './house.tsx';
import { follow } from './operator.ts';
import './stage.css';
import './ledger.css';
import './house.css';
import './casino.css';
import './sportsbook.css';
import './broker.css';

export function Stage() {
  useEffect(() => void follow(), []);
  return (
    <section class="stage" data-clothes={worn.value.id} aria-label="Live demo">
      <Wardrobe />
      <div class="stage-body">
        <div class="window">
          <p class="address" aria-hidden="true">
            <i />
            <i />
            <i />
            <span>{worn.value.address}</span>
          </p>
          <House>
            <Frame />
          </House>
        </div>
        <aside class="books" aria-label="The operator’s books">
          <Cash />
          <Settle />
        </aside>
      </div>
    </section>
  );
}

const [first] = CLOTHES;
if (first !== undefined) {
  wear(first);
}
