/**
 * The live demo: the site of one of three invented operators with the frame in it, and the books of that operator beside it.
 * On the site only the frame and the balance are real; the rest is scenery, and its entries lead nowhere.
 */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Cash, Settle } from './books.tsx';
import { dollars } from './cash-ledger.ts';
import { CLOTHES, type Notice, Wardrobe, wear, worn } from './clothes.tsx';
import { Frame } from './frame.tsx';
import { follow, ledger } from './operator.ts';
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

/** The operator's site. */
function House({ children }: { readonly children: ComponentChildren }) {
  const { id, name, mark, rooms, scenery } = worn.value;
  return (
    <div class="house" data-clothes={id}>
      <div class="house-head">
        <b class="house-name">
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d={mark} fill-rule="evenodd" />
          </svg>
          {name}
        </b>
        <p class="rooms" aria-hidden="true">
          {rooms.map((room) => (
            <span key={room} class={room === rooms.at(-1) ? 'here' : ''}>
              {room}
            </span>
          ))}
        </p>
        <Wallet />
      </div>
      <div class="house-body">
        <div class="scenery" aria-hidden="true">
          {scenery.map((notice) => (
            <Scenery key={notice.name} {...notice} />
          ))}
        </div>
        {children}
      </div>
    </div>
  );
}

/** The amount that the customer can spend. It comes from the operator's own ledger; the service holds no balance. */
function Wallet() {
  const { cash, held, lines } = ledger.value;
  const moved = lines.find((line) => line.cash !== 0n);
  return (
    <p class="wallet" role="status">
      <span>Balance</span>
      <b data-test="wallet">{dollars(cash - held)}</b>
      {moved !== undefined && (
        <i key={moved.id} class={moved.cash > 0n ? 'plus' : 'minus'} aria-hidden="true">
          {moved.cash > 0n ? '+' : ''}
          {dollars(moved.cash)}
        </i>
      )}
    </p>
  );
}

function Scenery({ name, look, line, note, change, odds }: Notice) {
  return (
    <p class={look}>
      <b>{name}</b>
      {line !== undefined && (
        <svg viewBox="0 0 60 18" width="60" height="18" aria-hidden="true">
          <polyline points={line} fill="none" stroke="currentColor" stroke-width="1.5" />
        </svg>
      )}
      {note !== undefined && <span>{note}</span>}
      {change !== undefined && <i>{change}</i>}
      {odds !== undefined && (
        <span>
          {odds.map((odd, place) => (
            <i key={odd}>
              <small>{['1', 'X', '2'][place]}</small>
              {odd}
            </i>
          ))}
        </span>
      )}
    </p>
  );
}
