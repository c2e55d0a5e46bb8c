/** The three kinds of operator that the demo shows. Each has its own site, and gives the frame nothing but a theme. */
import { signal } from '@preact/signals';
import { setTheme, type Theme } from './frame.tsx';

export interface Clothes {
  readonly id: 'casino' | 'sportsbook' | 'broker';
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  readonly theme: Theme;
}

export const CLOTHES: readonly Clothes[] = [
  {
    id: 'casino',
    kind: 'Casino',
    name: 'Northwind Casino',
    address: 'northwind.example/predictions',
    theme: { mode: 'dark', accent: '#d4a02f', radius: 'round', density: 'comfortable' },
  },
  {
    id: 'sportsbook',
    kind: 'Sportsbook',
    name: 'Matchday',
    address: 'matchday.example/predictions',
    theme: { mode: 'light', accent: '#d3222a', radius: 'soft', density: 'comfortable' },
  },
  {
    id: 'broker',
    kind: 'Broker',
    name: 'Harbour Invest',
    address: 'harbour-invest.example/event-contracts',
    theme: { mode: 'light', accent: '#17508f', radius: 'sharp', density: 'compact' },
  },
];

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
