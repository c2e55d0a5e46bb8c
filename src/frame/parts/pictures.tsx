/**
 * The pictures of events and teams, and the icons. A picture comes from this service or from safe inline data; no other
 * address is ever requested.
 */
import { useSignal } from '@preact/signals';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { textOn } from '../colours.ts';

/** Pixels. A picture that is not wider is the plain one that the service sends for an event without a picture. */
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

/** The picture of an event: the crests of its two teams, or the venue's picture. The icon of its category is shown until that is loaded. */
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

/** The teams of a fixture, in the order of its title. A competition has more than two teams, and its own picture. */
function teamsOf({ eventType, outcomes, title }: CatalogueEvent): Outcome[] {
  const teams = eventType === 'game' ? outcomes.filter(hasCrest) : [];
  const distinct = new Map(teams.map((outcome) => [outcome.teamLogoUrl ?? outcome.teamAbbr, outcome]));
  return [...distinct.values()].sort((a, b) => title.indexOf(a.label) - title.indexOf(b.label));
}

function hasCrest({ teamLogoUrl, teamAbbr }: Outcome): boolean {
  return teamAbbr !== null || (teamLogoUrl !== null && SAFE_PICTURE.test(teamLogoUrl));
}

/** Matches paths of this service and small inline pictures. */
const SAFE_PICTURE =
  /^(?:\/api\/v1\/images\/[A-Za-z0-9_-]{1,100}|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]{1,40000})$/;
const COLOUR = /^#[0-9a-f]{6}$/i;

const SHIELD = 'M2 2h20v11c0 4.6-4 7.6-10 9.6C6 20.6 2 17.6 2 13V2z';
const NO_COLOUR = '#5a6274';

/** The colour of a team, as its crest has it; null if it has none. */
export function teamColour({ teamColor }: Outcome): string | null {
  return teamColor !== null && COLOUR.test(teamColor) ? teamColor : null;
}

interface TeamMarkProps {
  readonly outcome: Outcome;
  /** Whether the shield is without letters, because they stand beside it. */
  readonly plain?: boolean;
}

/** The crest of a team: its picture, or a shield in its colour with its abbreviation. Empty if the outcome is not a team. */
export function TeamMark({ outcome, plain = false }: TeamMarkProps) {
  const { teamLogoUrl, teamAbbr } = outcome;
  if (teamLogoUrl !== null && SAFE_PICTURE.test(teamLogoUrl)) {
    return <img class="team" src={teamLogoUrl} alt="" width="22" height="22" loading="lazy" decoding="async" />;
  }
  if (teamAbbr === null) {
    return null;
  }
  const colour = teamColour(outcome) ?? NO_COLOUR;
  return (
    <svg class="team crest" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <path d={SHIELD} fill={colour} />
      {!plain && (
        <text x="12" y="14" fill={textOn(colour)}>
          {teamAbbr.slice(0, 3)}
        </text>
      )}
    </svg>
  );
}

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  star: 'M12 4l2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8L12 4z',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v6h14v-6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chart: 'M4 19V5M4 19h16M8 15l4-5 3 3 5-7',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7zM4 7l11-3v3M16 13h.01',
  alert: 'M12 4l9 16H3L12 4zM12 10v4M12 17h.01',
  politics: 'M3 9l9-5 9 5H3zM5 9v9M10 9v9M14 9v9M19 9v9M3 20h18',
  sports: 'M7 4h10v5a5 5 0 0 1-10 0V4zM7 6H4v1a3 3 0 0 0 3 3M17 6h3v1a3 3 0 0 1-3 3M12 14v4M8 20h8',
  crypto: 'M12 3l8 4.5v9L12 21l-8-4.5v-9L12 3zM9 12l3-4 3 4-3 4-3-4z',
  economics: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  finance: 'M3 17l6-6 4 4 8-8M15 7h6v6',
  technology: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  science: 'M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 3h8M8 15h8',
  culture: 'M9 18a3 3 0 1 1-2-2.8V5l12-2v11M19 16a3 3 0 1 1-2-2.8',
  climate: 'M7 18a4 4 0 0 1 0-8 6 6 0 0 1 11-1 4.5 4.5 0 0 1 0 9H7z',
  world: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
} as const;

type IconName = keyof typeof PATHS;

function isIcon(name: string): name is IconName {
  return Object.hasOwn(PATHS, name);
}

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
