/** Five-minute contracts on four assets: the current window and the next one, with strike, chance and end. */
import { normalBelow } from '../market/belief.ts';
import type { Random } from '../market/random.ts';
import { blankContract, eventId } from './mint.ts';
import type { PaperEvent } from './question.ts';
import { DOWN, FIVE, fillIn, inEach, UP } from './wording.ts';

export const WINDOW_MS = 300_000;

/** Spot prices at the first start, and their standard deviation per square root of a second. */
export const ASSETS: Readonly<Record<string, { name: string; spot: number; sigma: number }>> = {
  BTC: { name: 'Bitcoin', spot: 104_250, sigma: 0.00011 },
  ETH: { name: 'Ethereum', spot: 3_940, sigma: 0.00014 },
  SOL: { name: 'Solana', spot: 187.4, sigma: 0.0002 },
  XRP: { name: 'XRP', spot: 2.61, sigma: 0.0002 },
};

/** @param from start of the window, on a five-minute boundary */
export function mintFive(asset: string, venue: string, from: number): PaperEvent {
  const name = `${asset.toLowerCase()}-5m-${from / 1000}`;
  const id = eventId(venue, name, 0);
  const groupKey = `${name}/0`;
  const words = { asset: ASSETS[asset]?.name ?? asset, from: clock(from), to: clock(from + WINDOW_MS) };
  return {
    id,
    fixture: name,
    generation: 0,
    groupKey,
    slug: `${asset.toLowerCase()}-up-or-down-5m-${from / 1000}`,
    title: fillIn('en', FIVE.en, from, words),
    subtitle: fillIn('en', '{date}', from),
    words: inEach((locale) => ({ title: fillIn(locale, FIVE[locale], from, words) })),
    category: 'crypto',
    categories: ['crypto'],
    kind: 'binary',
    sport: null,
    league: null,
    eventType: null,
    levelFormat: null,
    fiveMinute: true,
    opensAt: from - WINDOW_MS,
    closesAt: from + WINDOW_MS,
    tick: 10_000,
    halfSpread: 0.006,
    model: { type: 'five', asset, strike: null },
    contracts: [
      blankContract({ id, groupKey }, 'up', UP.en, 9_000, {
        profile: 'normal',
        yesLabel: UP.en,
        noLabel: DOWN.en,
        direction: 'above',
        words: inEach((locale) => ({ label: UP[locale], yesLabel: UP[locale], noLabel: DOWN[locale] })),
      }),
    ],
    closedAt: null,
    endedAt: null,
  };
}

export function moveSpot(asset: string, spot: number, seconds: number, random: Random): number {
  const sigma = ASSETS[asset]?.sigma ?? 0.0001;
  const home = ASSETS[asset]?.spot ?? spot;
  return spot * Math.exp(sigma * Math.sqrt(seconds) * random.normal() + 2e-6 * seconds * Math.log(home / spot));
}

/** The chance that the window ends at or above its strike; one half before it has a strike. */
export function fiveChance(event: PaperEvent, spot: number, now: number): number {
  if (event.model.type !== 'five' || event.model.strike === null) {
    return 0.5;
  }
  const seconds = Math.max(1, (event.closesAt - now) / 1000);
  const sigma = (ASSETS[event.model.asset]?.sigma ?? 0.0001) * Math.sqrt(seconds);
  const chance = normalBelow(Math.log(spot / event.model.strike) / sigma);
  return Math.min(0.985, Math.max(0.015, chance));
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}
