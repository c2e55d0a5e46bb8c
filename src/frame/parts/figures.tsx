/** The figures that the views have in common: amounts and gains, the reference of an order, and the chance and prices of a market. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { approximately, dollarSign, price as priceText, probability, signedUsd, usd } from '../format.ts';
import type { Pick } from '../route.ts';
import { t } from '../texts/texts.ts';
import { mayBuy } from '../trading/deal.ts';
import { isFiveMinutes, outcomeLabel, resultOf, shownPrice, sideLabel } from '../trading/price.ts';
import { TeamMark, teamColour } from './pictures.tsx';

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

/** The reference of an order, which support requests, with a button that copies it. */
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
 * The reference price of an outcome as a probability. Empty once the outcome is decided.
 * @param large with the word for it, and the side that it is of if the sides have names
 */
export function Chance({ outcome, large = false }: { readonly outcome: Outcome; readonly large?: boolean }) {
  const { probability: share, resolution } = shownPrice(outcome);
  return (
    <span class={large ? 'chance large' : 'chance'}>
      {resolution === null && <ChanceText share={share} of={large ? outcome : null} />}
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

/** A bar as wide as the probability. That of a team has the colour of its crest. */
export function ChanceBar({ outcome }: { readonly outcome: Outcome }) {
  const { probability: share } = shownPrice(outcome);
  const colour = teamColour(outcome);
  return (
    <span class={colour === null ? 'chance-bar' : 'chance-bar team-bar'} aria-hidden="true">
      <i style={{ width: `${Math.max(0, Math.min(1, share ?? 0)) * 100}%`, ...(colour && { background: colour }) }} />
    </span>
  );
}

interface PriceProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  /** The side of a ticket that is open for the outcome. */
  readonly chosen?: Side | null | undefined;
  readonly onPick: (side: Side) => void;
}

/**
 * The prices of both sides as two buttons. Once the outcome is decided, they show how it ended: each side of a question, or the outcome as
 * a whole.
 */
export function Sides(props: PriceProps) {
  const { resolution } = shownPrice(props.outcome);
  const isWhole = resolution !== null && resolution !== 'SPLIT' && props.event.kind !== 'binary';
  return isWhole ? (
    <Result {...props} side="YES" />
  ) : (
    <>
      <PriceButton {...props} side="YES" />
      <PriceButton {...props} side="NO" />
    </>
  );
}

/** The price of an outcome as one button, or how it ended. */
export function YesPrice(props: PriceProps) {
  return shownPrice(props.outcome).resolution === null ? (
    <PriceButton {...props} side="YES" />
  ) : (
    <Result {...props} side="YES" />
  );
}

/** The sides of a game, each as one button with the crest and the short name of a team, or with how it ended. */
export function TeamPrices({
  event,
  sides,
  pick,
  onPick,
}: {
  readonly event: CatalogueEvent;
  /** The outcomes of the game, from `bySides`. */
  readonly sides: readonly Outcome[];
  readonly pick: Pick | null;
  readonly onPick: (outcome: Outcome) => void;
}) {
  return (
    <div class={sides.length > 2 ? 'two three' : 'two'} role="group" aria-label={t('side')}>
      {sides.map((outcome) => (
        <PriceButton
          key={outcome.id}
          event={event}
          outcome={outcome}
          side="YES"
          team
          chosen={pick?.contractId === outcome.id ? pick.side : null}
          onPick={() => onPick(outcome)}
        />
      ))}
    </div>
  );
}

interface ResultProps {
  readonly outcome: Outcome;
  readonly side: Side;
}

/** How a side of a decided outcome ended. */
function Result({ outcome, side, children }: ResultProps & { readonly children?: ComponentChildren }) {
  const { tone, text } = resultOf(outcome, side);
  return (
    <span class={`price result ${tone}`}>
      {children} <b>{text}</b>
    </span>
  );
}

interface ButtonProps extends PriceProps {
  readonly side: Side;
  /** Whether it stands for a team of a game, so that it has the crest and the short name of the outcome. */
  readonly team?: boolean;
}

/** The executable price of a side as a button that opens its ticket. Once the outcome is decided, how the side ended. */
function PriceButton({ event, outcome, side, team = false, chosen, onPick }: ButtonProps) {
  const shown = shownPrice(outcome);
  const name = team ? (outcome.teamAbbr ?? outcome.label) : sideLabel(outcome, side);
  const named = (
    <>
      {team && <TeamMark outcome={outcome} plain />}
      <span>{name}</span>
    </>
  );
  if (shown.resolution !== null) {
    return (
      <Result outcome={outcome} side={side}>
        {named}
      </Result>
    );
  }
  const price = priceText(side === 'YES' ? shown.yesCents : shown.noCents);
  // A five-minute market has no price in the catalogue; its page requests quotes.
  const isQuoted = price === null && isFiveMinutes(event);
  const words = price ?? (isQuoted ? null : t('noOffers'));
  // The visible text comes first and complete, so that speech control finds the button by it.
  const label = `${[name, words].filter(Boolean).join(' ')}, ${t('buy')}: ${outcomeLabel(event, outcome)}`;
  const colour = team ? 'team-price' : side === 'YES' ? 'yes' : 'no';
  return (
    <button
      type="button"
      class={price === null && !isQuoted ? 'price' : `price ${colour}`}
      disabled={!shown.open || !mayBuy.value}
      aria-pressed={chosen === side}
      aria-label={label}
      title={price === null && !isQuoted ? t('quoteOnly') : undefined}
      onClick={() => onPick(side)}
    >
      {named} {price === null ? words && <small>{words}</small> : <b>{price}</b>}
    </button>
  );
}
