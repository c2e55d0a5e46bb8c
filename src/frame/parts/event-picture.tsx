/** The picture of an event: the crests of its two teams, or the venue's picture, and until there is one the icon of its category. */
import { useSignal } from '@preact/signals';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { hasCrest, Icon, isIcon, SAFE_PICTURE, TeamMark } from './marks.tsx';

/** A picture as small as this is the service's plain one, for an event of which the venue has none. */
const PLAIN_WIDTH = 32;

/** Colours of the categories, in degrees. */
const HUES: Readonly<Record<string, number>> = {
  politics: 225,
  sports: 145,
  crypto: 32,
  economics: 200,
  finance: 165,
  technology: 265,
  science: 185,
  culture: 325,
  climate: 95,
  world: 10,
};

export function EventPicture({ event }: { readonly event: CatalogueEvent }) {
  const isShown = useSignal(false);
  const teams = teamsOf(event);
  if (teams.length === 2) {
    return (
      <span class="picture crests">
        {teams.map((outcome) => (
          <TeamMark key={outcome.id} outcome={outcome} />
        ))}
      </span>
    );
  }
  return (
    <span class="picture plain" style={{ '--hue': HUES[event.category] ?? 225 }}>
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

/** Of a fixture, in the order of its title. A competition has more teams, and its own picture. */
function teamsOf({ eventType, outcomes, title }: CatalogueEvent): Outcome[] {
  const teams = eventType === 'game' ? outcomes.filter(hasCrest) : [];
  const distinct = new Map(teams.map((outcome) => [outcome.teamLogoUrl ?? outcome.teamAbbr, outcome]));
  return [...distinct.values()].sort((a, b) => title.indexOf(a.label) - title.indexOf(b.label));
}
