/** The live demo on the website: an operator's page in one of three clothes, with its ledger beside the frame. */
import { useEffect } from 'preact/hooks';
import { Cash, Settle } from '../demo/cash.tsx';
import { CLOTHES, Wardrobe, wear, worn } from '../demo/clothes.tsx';
import { Frame } from '../demo/frame.tsx';
import { follow } from '../demo/operator.ts';

export function Stage() {
  useEffect(() => void follow(), []);
  return (
    <section class="stage" data-clothes={worn.value.id} aria-label="Live demo">
      <div class="stage-head">
        <p>
          <b>{worn.value.name}</b> <span>{worn.value.claim}</span>
        </p>
        <Wardrobe />
      </div>
      <div class="stage-body">
        <Frame />
        <div class="books">
          <Cash />
          <Settle />
        </div>
      </div>
    </section>
  );
}

const [first] = CLOTHES;
if (first !== undefined) {
  wear(first);
}
