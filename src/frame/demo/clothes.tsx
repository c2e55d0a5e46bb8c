/** Three kinds of operator: the page and the frame take their colours, and nothing else of the frame changes. */
import { signal } from '@preact/signals';
import { setTheme, type Theme } from './frame.tsx';

interface Clothes {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly claim: string;
  readonly theme: Theme;
}

export const CLOTHES: readonly Clothes[] = [
  {
    id: 'casino',
    kind: 'Casino',
    name: 'Northwind Casino',
    claim: 'Tables, slots and now the news',
    theme: { mode: 'dark', accent: '#d4a02f', radius: 'round', density: 'comfortable' },
  },
  {
    id: 'sportsbook',
    kind: 'Sportsbook',
    name: 'Matchday',
    claim: 'Every fixture, every season',
    theme: { mode: 'light', accent: '#d3222a', radius: 'soft', density: 'comfortable' },
  },
  {
    id: 'broker',
    kind: 'Broker',
    name: 'Harbour Invest',
    claim: 'Shares, funds and event contracts',
    theme: { mode: 'light', accent: '#17508f', radius: 'sharp', density: 'compact' },
  },
];

const [FIRST] = CLOTHES as [Clothes];
export const worn = signal<Clothes>(FIRST);

export function wear(next: Clothes): void {
  worn.value = next;
  document.documentElement.dataset['clothes'] = next.id;
  setTheme(next.theme);
}

export function Wardrobe() {
  return (
    <div class="wardrobe" role="group" aria-label="Kind of operator">
      {CLOTHES.map((clothes) => (
        <button
          type="button"
          key={clothes.id}
          aria-pressed={worn.value.id === clothes.id}
          onClick={() => wear(clothes)}
        >
          {clothes.kind}
        </button>
      ))}
    </div>
  );
}
