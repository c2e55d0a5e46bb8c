/**
 * The prices and names of outcomes as the views show them, and the order of outcomes by their prices. The stream takes precedence
 * over the catalogue, and an executable price that is null stays null.
 */
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { level, usd } from '../format.ts';
import { livePrice } from '../prices.ts';
import { t } from '../texts/texts.ts';

interface ShownPrice {
  /** The reference price, 0 to 1. */
  readonly probability: number | null;
  readonly yesCents: number | null;
  readonly noCents: number | null;
  /** Whether a price can be requested, even if none is shown. */
  readonly open: boolean;
  /** How the outcome was decided; null as long as it is not. */
  readonly resolution: Resolution | null;
}

type Resolution = NonNullable<Outcome['resolution']>;

export function shownPrice(outcome: Outcome): ShownPrice {
  const live = livePrice(outcome.id).value;
  // The stream is silent about a result that follows the close of trading, which the catalogue has.
  const decided = [live, outcome].find((one) => one?.resolution !== undefined);
  if (decided?.resolution !== undefined) {
    const { probability, resolution } = decided;
    return { probability, yesCents: null, noCents: null, open: false, resolution };
  }
  const { probability, executableYesCents, executableNoCents, tradingClosed } = live ?? outcome;
  const tradeable = live === null ? outcome.tradable : live.tradeable;
  return {
    probability,
    yesCents: tradeable ? executableYesCents : null,
    noCents: tradeable ? executableNoCents : null,
    open: outcome.status === 'open' && !tradingClosed,
    resolution: null,
  };
}

/** How a side of a decided outcome ended, in words and as a tone of the style sheet. */
export function resultOf(outcome: Outcome, side: Side): { readonly tone: 'won' | 'lost' | ''; readonly text: string } {
  const { resolution, probability: worth } = shownPrice(outcome);
  if (resolution === 'VOID') {
    return { tone: '', text: t('outcome_void') };
  }
  if (resolution === 'SPLIT') {
    return { tone: '', text: t('outcome_split', { amount: usd(side === 'YES' ? (worth ?? 0) : 1 - (worth ?? 0)) }) };
  }
  return resolution === side ? { tone: 'won', text: t('outcome_won') } : { tone: 'lost', text: t('outcome_lost') };
}

/** The price in cents at which one contract of a side sells now: 100 less the cost of the other side. Null if there is no bid. */
export function bidCents(outcome: Outcome, side: Side): number | null {
  const { yesCents, noCents } = shownPrice(outcome);
  const other = side === 'YES' ? noCents : yesCents;
  return other === null ? null : 100 - other;
}

/** The expected level of a ladder, or null if it has none. */
export function levelText({ impliedLevel, impliedLevelLabel, outcomes }: CatalogueEvent): string | null {
  if (impliedLevel === null || impliedLevelLabel === null) {
    return null;
  }
  return level(
    impliedLevel,
    impliedLevelLabel,
    outcomes.flatMap(({ threshold }) => threshold ?? []),
  );
}

export function sideLabel(outcome: Outcome, side: Side): string {
  return side === 'YES' ? (outcome.yesLabel ?? t('yes')) : (outcome.noLabel ?? t('no'));
}

/** The name of an outcome in a ticket. The only outcome of a binary event has the title of the event. */
export function outcomeLabel(event: CatalogueEvent, outcome: Outcome): string {
  return event.kind === 'binary' ? event.title : outcome.label;
}

/** The most likely first, by the prices of the catalogue and not of the stream, so that rows do not move while a customer clicks. */
export function byProbability(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.toSorted((a, b) => (b.probability ?? -1) - (a.probability ?? -1));
}

/** The decided outcomes behind the others; each part keeps its order. */
export function decidedLast(outcomes: readonly Outcome[]): Outcome[] {
  const isDecided = ({ resolution }: Outcome) => Number(resolution !== undefined);
  return outcomes.toSorted((a, b) => isDecided(a) - isDecided(b));
}

/** The answer of a field that is known to be right; undefined while there is none. */
export function winnerOf({ kind, outcomes }: CatalogueEvent): Outcome | undefined {
  return kind === 'mutually_exclusive' ? outcomes.find(({ resolution }) => resolution === 'YES') : undefined;
}

/**
 * The outcome that an event leads with: the likeliest answer, or the level of a ladder that is most in doubt. One with a price comes
 * before one that can only be quoted; undefined if none trades.
 */
export function leaderOf({ kind, outcomes }: CatalogueEvent): Outcome | undefined {
  const open = outcomes.filter((outcome) => shownPrice(outcome).open);
  const priced = open.filter((outcome) => shownPrice(outcome).yesCents !== null);
  const [best] = [priced, open].filter(({ length }) => length > 0);
  return best === undefined
    ? undefined
    : (kind === 'cumulative_ladder' ? mostInDoubt(best, 1) : byProbability(best))[0];
}

/** The outcomes that still trade, or all of them if none does: a score may have decided some lines of a game. */
export function openOutcomes(outcomes: readonly Outcome[]): readonly Outcome[] {
  const open = outcomes.filter(({ status }) => status === 'open');
  return open.length > 0 ? open : outcomes;
}

/** The levels of a ladder that are most uncertain, by threshold, because they show which level is expected. */
export function mostInDoubt(outcomes: readonly Outcome[], most: number): Outcome[] {
  return outcomes
    .toSorted((a, b) => doubt(a) - doubt(b))
    .slice(0, most)
    .sort((a, b) => (a.threshold ?? 0) - (b.threshold ?? 0));
}

function doubt({ probability }: Outcome): number {
  return probability === null ? 1 : Math.abs(probability - 0.5);
}

const FIVE_MINUTES_MS = 300_000;

/**
 * Whether the market is about the price of a coin after five minutes. Such a market is open, never has a price in the catalogue,
 * and closes on a boundary of five minutes.
 */
export function isFiveMinutes({ kind, category, closesAt, outcomes }: CatalogueEvent): boolean {
  const [only] = outcomes;
  return (
    kind === 'binary' &&
    category === 'crypto' &&
    only?.status === 'open' &&
    !only.tradable &&
    only.direction !== null &&
    Date.parse(closesAt) % FIVE_MINUTES_MS === 0
  );
}

/** The moment at which the five minutes of such a market begin, in milliseconds since 1970. */
export function startOf({ closesAt }: CatalogueEvent): number {
  return Date.parse(closesAt) - FIVE_MINUTES_MS;
}
