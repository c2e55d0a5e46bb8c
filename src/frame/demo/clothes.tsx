/**
 * The three kinds of operator that the demo shows, as data: the names of their sites, the content around the frame, and the theme, which is
 * all that a site gives to the frame. Each has a style sheet of its name.
 */
import { signal } from '@preact/signals';
import { setTheme, type Theme } from './frame.tsx';

export interface Clothes {
  readonly id: 'casino' | 'sportsbook' | 'broker';
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  /** The outline of the mark beside the name, in a square of 24. */
  readonly mark: string;
  /** The entries of the menu. The last one is open. */
  readonly rooms: readonly string[];
  readonly scenery: readonly Notice[];
  readonly theme: Theme;
}

/** Something on the operator's site that leads nowhere. A part that it lacks is not drawn. */
export interface Notice {
  readonly name: string;
  /** The class that gives it its look. */
  readonly look?: string;
  /** The points of a line, in a field of 60 by 18. */
  readonly line?: string;
  readonly note?: string;
  readonly change?: string;
  /** For a win of the first side, a draw, and a win of the second. */
  readonly odds?: readonly string[];
}

export const CLOTHES: readonly Clothes[] = [
  {
    id: 'casino',
    kind: 'Casino',
    name: 'Northwind Casino',
    address: 'northwind.example/predictions',
    mark: 'M12 1 22 12 12 23 2 12Zm0 5-5.5 6L12 18l5.5-6Z',
    rooms: ['Lobby', 'Live tables', 'Slots', 'Predictions'],
    scenery: [
      { name: 'Roulette', note: '14 seated', look: 'wheel' },
      { name: 'Blackjack', note: '9 seated', look: 'deck' },
      { name: 'Golden Tide', note: 'Jackpot $1,284,112', look: 'reels' },
    ],
    theme: { mode: 'dark', accent: '#d4a02f', radius: 'round', density: 'comfortable' },
  },
  {
    id: 'sportsbook',
    kind: 'Sportsbook',
    name: 'Matchday',
    address: 'matchday.example/predictions',
    mark: 'M7 2h15l-4 6H10l-1.3 3H16l-4 6H6.6L4 22H0Z',
    rooms: ['Football', 'Tennis', 'Basketball', 'Racing', 'Predictions'],
    scenery: [
      { name: 'Leeds – Everton', odds: ['2.10', '3.40', '3.25'] },
      { name: 'Porto – Benfica', odds: ['2.45', '3.20', '2.80'] },
      { name: 'Lyon – Lille', odds: ['2.30', '3.30', '3.00'] },
    ],
    theme: { mode: 'light', accent: '#d3222a', radius: 'soft', density: 'comfortable' },
  },
  {
    id: 'broker',
    kind: 'Broker',
    name: 'Harbour Invest',
    address: 'harbour-invest.example/event-contracts',
    mark: 'M2 21V11h4v10Zm8 0V3h4v18Zm8 0v-7h4v7Z',
    rooms: ['Portfolio', 'Shares', 'Funds', 'Event contracts'],
    scenery: [
      quote('World shares', '3,412.08', '+0.42%', '0,14 12,11 24,12 36,7 48,8 60,3'),
      quote('Euro bonds', '118.36', '−0.08%', '0,5 12,6 24,4 36,9 48,8 60,10'),
      quote('Gold, ounce', '4,021.50', '+1.10%', '0,15 12,13 24,14 36,9 48,5 60,2'),
      quote('Euro / dollar', '1.1582', '+0.15%', '0,10 12,12 24,8 36,9 48,6 60,5'),
    ],
    theme: { mode: 'light', accent: '#17508f', radius: 'sharp', density: 'compact' },
  },
];

function quote(name: string, note: string, change: string, line: string): Notice {
  return { name, note, change, line, look: change.startsWith('+') ? 'up' : 'down' };
}

const [FIRST] = CLOTHES as [Clothes];
export const worn = signal<Clothes>(FIRST);

export function wear(next: Clothes): void {
  worn.value = next;
  setTheme(next.theme);
}

export function Wardrobe() {
  return (
    <div class="wardrobe" role="group" aria-label="Kind of operator">
      {CLOTHES.map((clothes) => (
        <button
          type="button"
          key={clothes.id}
          data-clothes={clothes.id}
          aria-pressed={worn.value.id === clothes.id}
          onClick={() => wear(clothes)}
        >
          <i aria-hidden="true" />
          {clothes.kind}
        </button>
      ))}
    </div>
  );
}
