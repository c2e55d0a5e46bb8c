/** Where the person at `top` is: the view, the row that is chosen in it, and the row that is open. Pure. */
import { TOP_VIEWS, type TopViewKey } from './top-views.ts';

export interface TopState {
  readonly view: TopViewKey;
  /** Place of the chosen row in the view. */
  readonly chosen: number;
  /** Name of the row that is open, or null: rows change places between two readings. */
  readonly open: string | null;
  /** Lines of an open row above the screen. */
  readonly above: number;
}

export const FIRST_STATE: TopState = { view: 'o', chosen: 0, open: null, above: 0 };

/**
 * @param key a letter, or `up`, `down`, `enter`, `back`
 * @param names of the rows of the view, in order
 * @returns the same state for a key that means nothing here
 */
export function pressKey(state: TopState, key: string, names: readonly string[]): TopState {
  if (isViewKey(key)) {
    return { ...FIRST_STATE, view: key };
  }
  const last = Math.max(0, names.length - 1);
  switch (key) {
    case 'up':
    case 'down': {
      const step = key === 'up' ? -1 : 1;
      return state.open === null
        ? { ...state, chosen: Math.min(last, Math.max(0, state.chosen + step)) }
        : { ...state, above: Math.max(0, state.above + step) };
    }
    case 'enter': {
      const open = state.open ?? names[Math.min(last, state.chosen)] ?? null;
      return { ...state, open };
    }
    case 'back':
      return { ...state, open: null, above: 0 };
    default:
      return state;
  }
}

function isViewKey(key: string): key is TopViewKey {
  return Object.hasOwn(TOP_VIEWS, key);
}
