/** Icons, and the picture of an event or a team. A picture comes from this service or from safe inline data. */
import { useSignal } from '@preact/signals';
import type { Outcome } from '../../wire/catalogue.ts';

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  star: 'M12 4l2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8L12 4z',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v6h14v-6',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chart: 'M4 19V5M4 19h16M8 15l4-5 3 3 5-7',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7zM4 7l11-3v3M16 13h.01',
  alert: 'M12 4l9 16H3L12 4zM12 10v4M12 17h.01',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Accepts paths of this service and small inline pictures; other addresses are never requested. */
const SAFE_PICTURE =
  /^(?:\/api\/v1\/images\/[A-Za-z0-9_-]{1,100}|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]{1,40000})$/;
const COLOUR = /^#[0-9a-f]{6}$/i;

export function EventPicture({ url }: { readonly url: string }) {
  const broken = useSignal(false);
  const usable = SAFE_PICTURE.test(url) && !broken.value;
  return (
    <span class="picture">
      {usable && (
        <img
          src={url}
          alt=""
          width="44"
          height="44"
          loading="lazy"
          decoding="async"
          onError={() => {
            broken.value = true;
          }}
        />
      )}
    </span>
  );
}

/** The crest of a team, or nothing if the outcome is not a team. */
export function TeamMark({ outcome }: { readonly outcome: Outcome }) {
  const { teamLogoUrl, teamAbbr, teamColor } = outcome;
  if (teamLogoUrl !== null && SAFE_PICTURE.test(teamLogoUrl)) {
    return <img class="team" src={teamLogoUrl} alt="" width="22" height="22" loading="lazy" decoding="async" />;
  }
  if (teamAbbr === null) {
    return null;
  }
  const style = teamColor !== null && COLOUR.test(teamColor) ? { borderColor: teamColor } : undefined;
  return (
    <span class="team letters" style={style} aria-hidden="true">
      {teamAbbr.slice(0, 3)}
    </span>
  );
}
