/**
 * Sports and their families (contract 7.2, `sport`): a search for `racket-sports` finds tennis and
 * badminton. It contains names only; the board decides which sports exist.
 */

/** A slug that starts with `<family>-` also belongs to the family (`rugby-union`, `esports-dota-2`). */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'american-football': ['nfl', 'college-football'],
    'combat-sports': ['mma', 'ufc', 'boxing', 'judo', 'wrestling'],
    cycling: ['road-cycling', 'track-cycling'],
    esports: ['counter-strike', 'cs2', 'dota-2', 'league-of-legends', 'valorant', 'rainbow-six', 'rocket-league'],
    football: ['soccer', 'american-football', 'nfl', 'college-football', 'canadian-football', 'australian-football'],
    hockey: ['ice-hockey', 'field-hockey'],
    'horse-racing': ['thoroughbred', 'harness-racing'],
    motorsport: ['formula-1', 'f1', 'motogp', 'nascar', 'indycar', 'rally'],
    'racket-sports': ['tennis', 'table-tennis', 'badminton', 'padel', 'pickleball', 'squash'],
    rugby: ['rugby-union', 'rugby-league', 'rugby-sevens'],
    'winter-sports': ['alpine-skiing', 'biathlon', 'bobsleigh', 'curling', 'ski-jumping', 'snowboarding'],
  }),
);

/** Whether a search for `asked` finds an event of `sport`: the sport itself, or a family that it belongs to. */
export function rollsUpInto(sport: string, asked: string): boolean {
  return sport === asked || sport.startsWith(`${asked}-`) || (FAMILIES.get(asked)?.includes(sport) ?? false);
}
