/**
 * The state of the venue as the plain data of its snapshot: created at the first start, restored at every other one.
 */
import { ASSETS } from './catalogue/five-minutes.ts';
import type { PaperEvent, PaperMatch } from './catalogue/question.ts';
import type { Journal } from './journal.ts';
import { type RandomState, stateOf } from './market/random.ts';

export interface PaperState {
  venue: string;
  seed: string;
  random: RandomState;
  events: Record<string, PaperEvent>;
  matches: Record<string, PaperMatch>;
  spots: Record<string, number>;
  /** How often a fixture was listed again, by fixture; for matches by `matchKey`. */
  generations: Record<string, number>;
  steps: number;
  lastStep: number;
}

export function firstState(venue: string, seed: string, now: number): PaperState {
  return {
    venue,
    seed,
    random: stateOf(`${seed}:${venue}`),
    events: {},
    matches: {},
    spots: Object.fromEntries(Object.entries(ASSETS).map(([asset, { spot }]) => [asset, spot])),
    generations: {},
    steps: 0,
    lastStep: now,
  };
}

/** @returns undefined if the journal is empty or belongs to another venue */
export function restoreState(journal: Journal, venue: string): PaperState | undefined {
  const state = journal.snapshot as PaperState | undefined;
  if (state === undefined || state.venue !== venue) {
    return undefined;
  }
  for (const line of journal.lines as { event?: PaperEvent; match?: PaperMatch; dropped?: string }[]) {
    if (line.event !== undefined) {
      state.events[line.event.id] = line.event;
    }
    if (line.match !== undefined) {
      state.matches[line.match.id] = line.match;
    }
    if (line.dropped !== undefined) {
      delete state.events[line.dropped];
    }
  }
  for (const event of Object.values(state.events)) {
    const known = state.generations[event.fixture] ?? -1;
    if (event.model.type !== 'five' && event.model.type !== 'match' && event.generation > known) {
      state.generations[event.fixture] = event.generation;
    }
  }
  for (const match of Object.values(state.matches)) {
    const key = matchKey(match.fixture);
    state.generations[key] = Math.max(state.generations[key] ?? 0, match.generation);
  }
  return state;
}

/** @param fixture its index among the match fixtures */
export function matchKey(fixture: number): string {
  return `match:${fixture}`;
}
