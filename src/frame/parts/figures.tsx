/** The figures that the views have in common: amounts and gains, the reference of an order, and the chance and prices of a market. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { approximately, dollarSign, price as priceText, probability, signedUsd, usd } from '../format.ts';
import { t } from '../texts/texts.ts';
import { mayBuy } from '../trading/deal.ts';
import { isFiveMinutes, outcomeLabel, shownPrice, sideLabel } from '../trading/price.ts';

/** An amount in dollars, exactly as booked, with its value in the selected currency beside it. */
export function Money({ amount, signed = false }: { readonly amount: string | number; readonly signed?: boolean }) {
  const other = approximately(amount);
  return (
    <span class="money">
      {signed ? signedUsd(amount) : usd(amount)}
      {other !== null && <small class="approx">{other}</small>}
    </span>
  );
}

/** A profit or a loss with its sign, and its share of the cost. */
export function Gain({ amount, percent }: { readonly amount: string; readonly percent?: string | null }) {
  const tone = Number(amount) < 0 ? 'no-text' : Number(amount) > 0 ? 'yes-text' : '';
  return (
    <span class={tone}>
      <Money amount={amount} signed />
      {percent && <small class="share">{percent}</small>}
    </span>
  );
}

/** The sign beside the field of an amount, on the side where the region writes it. */
export function DollarSign() {
  const { text, isBehind } = dollarSign();
  return (
    <span aria-hidden="true" style={{ order: isBehind ? 1 : 0 }}>
      {text}
    </span>
  );
}

/** The reference of an order, which support asks for, with a button that copies it. */
export function Reference({ of }: { readonly of: string }) {
  const text = useRef<HTMLElement>(null);
  const said = useSignal<'copiedReference' | 'copyFailed' | null>(null);
  const copy = async () => {
    if (text.current !== null) {
      window.getSelection()?.selectAllChildren(text.current);
    }
    said.value = (await copied(of)) ? 'copiedReference' : 'copyFailed';
  };
  return (
    <p class="note reference">
      {t('reference')} <code ref={text}>{of}</code>{' '}
      <button type="button" class="link" aria-label={`${t('copy')}: ${t('reference')} ${of}`} onClick={copy}>
        {t('copy')}
      </button>{' '}
      <span role="status">{said.value !== null && t(said.value)}</span>
    </p>
  );
}

/**
 * Copies a text, which is also selected at the moment. The clipboard needs the permission of the page around the frame; without
 * it the older command copies the selection.
 * @returns whether it was copied
 */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

/**
 * The reference price of an outcome as a probability.
 * @param large with the word for it, and the side that it is of if the sides have names
 */
export function Chance({ outcome, large = false }: { readonly outcome: Outcome; readonly large?: boolean }) {
  return (
    <span class={large ? 'chance large' : 'chance'}>
      <ChanceText share={shownPrice(outcome).probability} of={large ? outcome : null} />
    </span>
  );
}

/** @param of whose chance it is, in words below it; null leaves them out */
export function ChanceText({ share, of }: { readonly share: number | null; readonly of: Outcome | null }) {
  return (
    <>
      {probability(share)}
      {of !== null && <small>{of.yesLabel === null ? t('chance') : t('chanceOf', { side: of.yesLabel })}</small>}
    </>
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

/** The executable price of a side as a button that opens its ticket. */
export function PriceButton({ event, outcome, side, chosen = false, onPick }: PriceButtonProps) {
  const shown = shownPrice(outcome);
  const price = priceText(side === 'YES' ? shown.yesCents : shown.noCents);
  const name = sideLabel(outcome, side);
  // A five-minute market has no price in the catalogue; its page requests quotes.
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
