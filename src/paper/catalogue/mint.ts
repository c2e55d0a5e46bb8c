/** The basis of every new event and contract: ids, slugs, the price grid, a contract without data. */

import { unitOf } from '../market/random.ts';
import { CONTRACT } from '../micros.ts';
import type { Profile } from './fixture.ts';
import type { PaperContract, PaperEvent } from './question.ts';

const LONG_FIELD = 8;

export function eventId(venue: string, fixture: string, generation: number): string {
  return `${venue === 'paper' ? 'px' : 'p2'}-${fixture}${generation === 0 ? '' : `-${generation}`}`;
}

export function slugFor(base: string, dated: boolean, closesAt: number, generation: number): string {
  const date = dated ? `-${new Date(closesAt).toISOString().slice(0, 10)}` : '';
  return `${base}${date}${generation === 0 ? '' : `-${generation + 1}`}`;
}

export function gridOf(profile: Profile, answers: number, id: string): Pick<PaperEvent, 'tick' | 'halfSpread'> {
  const u = unitOf(`${id}:spread`);
  if (profile === 'tight') {
    return { tick: 1_000, halfSpread: 0.001 + u * 0.001 };
  }
  if (profile === 'subcent' || answers >= LONG_FIELD) {
    return { tick: 1_000, halfSpread: 0.0015 + u * 0.0015 };
  }
  return { tick: 10_000, halfSpread: 0.004 + u * 0.006 };
}

/** A contract without data; `rest` sets what is different. */
export function blankContract(
  event: { id: string; groupKey: string },
  key: string,
  label: string,
  volume: number,
  rest: Partial<PaperContract> = {},
): PaperContract {
  const id = `${event.id}.${key}`;
  const share = 0.3 + 0.7 * unitOf(id);
  return {
    id,
    key,
    groupKey: `${event.groupKey}.${key}`,
    label,
    words: {},
    team: null,
    yesLabel: null,
    noLabel: null,
    sportsMarketType: null,
    threshold: null,
    direction: null,
    status: 'open',
    volume: Math.round(volume * share) * CONTRACT,
    volume24h: Math.round(volume * share * (0.01 + 0.08 * unitOf(`${id}:day`))) * CONTRACT,
    lastPrice: null,
    resolution: null,
    profile: 'normal',
    book: { bids: [], asks: [], sequence: 0 },
    frozen: false,
    feeBps: 0,
    next: [],
    ...rest,
  };
}

/** A threshold in the form used in a contract's key. */
export function inKey(threshold: number): string {
  return String(threshold).replace('.', '_');
}
