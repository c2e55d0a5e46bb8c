/** The two numbers of a market: the reference as a probability, and the executable price as a button. */

import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { price as priceText, probability } from '../format.ts';
import { t } from '../texts/texts.ts';
import { mayBuy } from '../trading/account.ts';
import { isFiveMinutes } from '../trading/five-minutes.ts';
import { outcomeLabel, shownPrice, sideLabel } from '../trading/price.ts';

export function Chance({ outcome, large = false }: { readonly outcome: Outcome; readonly large?: boolean }) {
  return (
    <span class={large ? 'chance large' : 'chance'}>
      {probability(shownPrice(outcome).probability)}
      {large && <small>{t('chance')}</small>}
    </span>
  );
}

/** A bar as wide as the probability. */
export function ChanceBar({ outcome, colour }: { readonly outcome: Outcome; readonly colour?: string | undefined }) {
  const { probability: share } = shownPrice(outcome);
  return (
    <span class="chance-bar" aria-hidden="true">
      <i style={{ width: `${Math.max(0, Math.min(1, share ?? 0)) * 100}%`, ...(colour && { background: colour }) }} />
    </span>
  );
}

interface PriceButtonProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly chosen?: boolean;
  readonly onPick: () => void;
}

export function PriceButton({ event, outcome, side, chosen = false, onPick }: PriceButtonProps) {
  const shown = shownPrice(outcome);
  const price = priceText(side === 'YES' ? shown.yesCents : shown.noCents);
  const name = sideLabel(outcome, side);
  // The price of a five-minute market comes from a quote alone, and its page has one.
  const isQuoted = price === null && isFiveMinutes(event);
  const words = price ?? (isQuoted ? null : t('noOffers'));
  // The visible text comes first and complete, so that speech control finds the button by it.
  const label = `${[name, words].filter(Boolean).join(' ')}, ${t('buy')}: ${outcomeLabel(event, outcome)}`;
  return (
    <button
      type="button"
      class={price === null && !isQuoted ? 'price' : `price ${side === 'YES' ? 'yes' : 'no'}`}
      disabled={!shown.open || !mayBuy.value}
      aria-pressed={chosen}
      aria-label={label}
      title={price === null && !isQuoted ? t('quoteOnly') : undefined}
      onClick={onPick}
    >
      <span>{name}</span> {price === null ? words && <small>{words}</small> : <b>{price}</b>}
    </button>
  );
}
