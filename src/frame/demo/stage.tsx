/**
 * The live demo: the site of one of three invented operators with the frame in it, and the books of that operator beside it.
 * On the site only the frame and the balance are real; the rest is scenery, and its entries lead nowhere.
 */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Cash, Settle } from './books.tsx';
import { dollars } from './cash-ledger.ts';
import { CLOTHES, type Clothes, Wardrobe, wear, worn } from './clothes.tsx';
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
  const { id, name } = worn.value;
  return (
    <div class="house" data-clothes={id}>
      <div class="house-head">
        <b class="house-name">
          <Mark of={id} />
          {name}
        </b>
        <Rooms of={id} />
        <Wallet />
      </div>
      <div class="house-body">
        <Scenery of={id} />
        {children}
      </div>
    </div>
  );
}

const ROOMS: Readonly<Record<Clothes['id'], readonly string[]>> = {
  casino: ['Lobby', 'Live tables', 'Slots', 'Predictions'],
  sportsbook: ['Football', 'Tennis', 'Basketball', 'Racing', 'Predictions'],
  broker: ['Portfolio', 'Shares', 'Funds', 'Event contracts'],
};

function Rooms({ of }: { readonly of: Clothes['id'] }) {
  const rooms = ROOMS[of];
  return (
    <p class="rooms" aria-hidden="true">
      {rooms.map((room) => (
        <span key={room} class={room === rooms.at(-1) ? 'here' : ''}>
          {room}
        </span>
      ))}
    </p>
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

function Mark({ of }: { readonly of: Clothes['id'] }) {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      {of === 'casino' && <path d="M12 1 22 12 12 23 2 12Zm0 5-5.5 6L12 18l5.5-6Z" fill-rule="evenodd" />}
      {of === 'sportsbook' && <path d="M7 2h15l-4 6H10l-1.3 3H16l-4 6H6.6L4 22H0Z" />}
      {of === 'broker' && <path d="M2 21V11h4v10Zm8 0V3h4v18Zm8 0v-7h4v7Z" />}
    </svg>
  );
}

const TABLES = [
  ['Roulette', '14 seated', 'wheel'],
  ['Blackjack', '9 seated', 'deck'],
  ['Golden Tide', 'Jackpot $1,284,112', 'reels'],
] as const;
const COUPON = [
  ['Leeds – Everton', '2.10', '3.40', '3.25'],
  ['Porto – Benfica', '2.45', '3.20', '2.80'],
  ['Lyon – Lille', '2.30', '3.30', '3.00'],
] as const;
const TICKERS = [
  ['World shares', '3,412.08', '+0.42%', '0,14 12,11 24,12 36,7 48,8 60,3'],
  ['Euro bonds', '118.36', '−0.08%', '0,5 12,6 24,4 36,9 48,8 60,10'],
  ['Gold, ounce', '4,021.50', '+1.10%', '0,15 12,13 24,14 36,9 48,5 60,2'],
  ['Euro / dollar', '1.1582', '+0.15%', '0,10 12,12 24,8 36,9 48,6 60,5'],
] as const;

function Scenery({ of }: { readonly of: Clothes['id'] }) {
  return (
    <div class="scenery" aria-hidden="true">
      {of === 'casino' &&
        TABLES.map(([name, note, art]) => (
          <p key={name} class={art}>
            <b>{name}</b>
            <span>{note}</span>
          </p>
        ))}
      {of === 'sportsbook' &&
        COUPON.map(([match, ...odds]) => (
          <p key={match}>
            <b>{match}</b>
            <span>
              {odds.map((odd, index) => (
                <i key={odd}>
                  <small>{['1', 'X', '2'][index]}</small>
                  {odd}
                </i>
              ))}
            </span>
          </p>
        ))}
      {of === 'broker' &&
        TICKERS.map(([name, value, change, line]) => (
          <p key={name} class={change.startsWith('+') ? 'up' : 'down'}>
            <b>{name}</b>
            <svg viewBox="0 0 60 18" width="60" height="18" aria-hidden="true">
              <polyline points={line} fill="none" stroke="currentColor" stroke-width="1.5" />
            </svg>
            <span>{value}</span>
            <i>{change}</i>
          </p>
        ))}
    </div>
  );
}
