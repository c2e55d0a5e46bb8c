/** The star of a market: pressed while the market is a favourite. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { Icon } from '../parts/marks.tsx';
import { t } from '../texts/texts.ts';
import { favourites, toggleFavourite } from './favourites.ts';

export function FavouriteButton({ event }: { readonly event: CatalogueEvent }) {
  return (
    <button
      type="button"
      class="tool star"
      aria-pressed={favourites.value.includes(event.id)}
      aria-label={t('favourite', { title: event.title })}
      onClick={() => toggleFavourite(event.id)}
    >
      <Icon name="star" />
    </button>
  );
}
