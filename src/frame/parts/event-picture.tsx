/** The picture of an event: the crests of its two teams, or the venue's picture, and until there is one the icon of its category. */
import { useSignal } from '@preact/signals';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { Icon, isIcon, SAFE_PICTURE } from './marks.tsx';

/** A picture as small as this is the service's plain one, for an event of which the venue has none. */
const PLAIN_WIDTH = 32;

export function EventPicture({ event }: { readonly event: CatalogueEvent }) {
  const isShown = useSignal(false);
  const crests = crestsOf(event);
  if (crests.length === 2) {
    return (
      <span class="picture crests">
        {crests.map((url) => (
          <img key={url} src={url} alt="" width="26" height="26" decoding="async" />
        ))}
      </span>
    );
  }
  return (
    <span class="picture plain">
      {!isShown.value && <Icon name={isIcon(event.category) ? event.category : 'chart'} />}
      {SAFE_PICTURE.test(event.imageUrl) && (
        <img
          src={event.imageUrl}
          alt=""
          width="44"
          height="44"
          loading="lazy"
          decoding="async"
          style={{ opacity: isShown.value ? 1 : 0 }}
          onLoad={({ currentTarget }) => {
            isShown.value = currentTarget.naturalWidth > PLAIN_WIDTH;
          }}
        />
      )}
    </span>
  );
}

/** Of a fixture. A competition has more teams, and its own picture. */
function crestsOf({ eventType, outcomes }: CatalogueEvent): string[] {
  const logos = eventType === 'game' ? outcomes.flatMap(({ teamLogoUrl }) => teamLogoUrl ?? []) : [];
  return [...new Set(logos)].filter((url) => SAFE_PICTURE.test(url));
}
