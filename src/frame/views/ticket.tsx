/**
 * The ticket of a purchase: the side, the stake with everything around its field, and then the deal. The stake is in dollars,
 * whatever the display currency is.
 */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import type { FrameAccount } from '../../wire/embed.ts';
import { approximately, quantity, price as shownText, signedPercent, usd } from '../format.ts';
import { TradingStopped } from '../market/market-state.tsx';
import { DollarSign, Money, Sides, TeamPrices } from '../parts/figures.tsx';
import { bySides } from '../parts/games.ts';
import { Icon } from '../parts/pictures.tsx';
import { refusalText } from '../parts/states.tsx';
import { takeFocus } from '../route.ts';
import { plural, t } from '../texts/texts.ts';
import { account, type Deal, exceededBy, readAccount } from '../trading/deal.ts';
import { centsOf, decimal, payoffOf } from '../trading/estimate.ts';
import { outcomeLabel, shownPrice, sideLabel } from '../trading/price.ts';
import { DealSteps } from './deal-steps.tsx';

interface TicketProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  readonly side: Side;
  /** As typed. It is kept when the customer changes the side, which opens another ticket. */
  readonly stake: Signal<string>;
  readonly deal: Deal;
  /** Whether the customer asked for the ticket, so that it may take the focus. */
  readonly asked: boolean;
  /** Another outcome or side. */
  onPick(contractId: string, side: Side): void;
  onClose(): void;
}

export function BuyTicket({ event, outcome, side, stake, deal, asked, onPick, onClose }: TicketProps) {
  const sides = bySides(event);
  const bad = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (asked) {
      box.current?.scrollIntoView({ block: 'nearest' });
      field.current?.focus({ preventScroll: true });
    }
  }, []);
  const { step } = deal.state.value;
  const isNew = useRef(true);
  useEffect(() => {
    // After each step back the form is new, and the element that had the focus is gone.
    if (!isNew.current && (step === 'refused' || step === 'asking')) {
      takeFocus(field.current);
    }
    isNew.current = false;
    if (step === 'refused') {
      readAccount();
    }
  }, [step]);
  const asking = step === 'asking' || step === 'refused';
  const open = shownPrice(outcome).open;
  const largest = exceededBy(stake.value);

  const change = (text: string) => {
    stake.value = text;
    bad.value = false;
    if (step === 'refused') {
      deal.reset();
    }
  };
  const stakeAndAsk = (amount: number) => {
    change(String(amount));
    ask(new Event('submit'));
  };
  const ask = (submit: Event) => {
    submit.preventDefault();
    if (!open || exceededBy(stake.value) !== null) {
      return;
    }
    const minor = centsOf(stake.value);
    bad.value = minor === null;
    if (minor === null) {
      field.current?.focus();
    } else {
      void deal.ask({ marketId: outcome.id, side, action: 'buy', stake: Number(minor) / 100 });
    }
  };
  const isWrong = bad.value || largest !== null;
  const stakeMinor = centsOf(stake.value);
  const other = stakeMinor === null ? null : approximately(decimal(stakeMinor));

  return (
    <section class="ticket" aria-label={t('ticket')} ref={box}>
      <header class="ticket-head">
        <div>
          <p class="over">{t('ticket')}</p>
          <p class="ticket-title">
            {sides !== null && side === 'YES' ? (
              <b>{outcome.label}</b>
            ) : (
              <>
                <b class={side === 'YES' ? 'yes-text' : 'no-text'}>{sideLabel(outcome, side)}</b> ·{' '}
                {outcomeLabel(event, outcome)}
              </>
            )}
          </p>
        </div>
        <button type="button" class="icon-button" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {asking && (
        <form onSubmit={ask} noValidate>
          {sides === null ? (
            <div class="two" role="group" aria-label={t('side')}>
              <Sides event={event} outcome={outcome} chosen={side} onPick={(one) => onPick(outcome.id, one)} />
            </div>
          ) : (
            <TeamPrices
              event={event}
              sides={sides}
              pick={{ contractId: outcome.id, side }}
              onPick={({ id: contractId }) => onPick(contractId, 'YES')}
            />
          )}
          <div class="field-line">
            <label class="field" for={`${id}stake`}>
              {t('stake')}
            </label>
            <Balance onMax={change} />
          </div>
          <div class={isWrong ? 'amount bad' : 'amount'}>
            <DollarSign />
            <input
              id={`${id}stake`}
              ref={field}
              type="text"
              inputMode="decimal"
              autocomplete="off"
              maxLength={12}
              value={stake.value}
              aria-invalid={isWrong}
              aria-describedby={`${id}note`}
              onInput={(input) => change(input.currentTarget.value)}
            />
            {other !== null && <small class="approx">{other}</small>}
          </div>
          <div id={`${id}note`}>
            {bad.value ? (
              <p class="note wrong">{t('stakeBad')}</p>
            ) : largest !== null && step === 'asking' ? (
              <TooMuch
                largest={largest}
                onStake={(amount) => {
                  change(amount);
                  field.current?.focus();
                }}
              />
            ) : (
              <Payoff outcome={outcome} side={side} stake={stake.value} />
            )}
          </div>
          <QuickStakes stake={stake.value} onStake={change} />
          {open ? (
            <button type="submit" class="button" disabled={largest !== null}>
              {t('getPrice')}
            </button>
          ) : (
            <TradingStopped event={event} outcome={outcome} onClose={onClose} />
          )}
        </form>
      )}
      <DealSteps deal={deal} onClose={onClose} again={() => ask(new Event('submit'))} onStake={stakeAndAsk} />
    </section>
  );
}

const STAKES = ['5', '10', '25', '100'] as const;

interface PayoffProps {
  readonly outcome: Outcome;
  readonly side: Side;
  /** As typed. */
  readonly stake: string;
}

/**
 * "Payout if you win $37.12 (+271%)" at the price shown now, if the side has a price. A stake that is not an amount is only red once
 * a price is requested for it, because the customer may still be typing.
 */
function Payoff({ outcome, side, stake }: PayoffProps) {
  const { yesCents, noCents } = shownPrice(outcome);
  const price = side === 'YES' ? yesCents : noCents;
  const stakeMinor = centsOf(stake);
  const payoff = stakeMinor === null ? null : payoffOf(stakeMinor, price, account.value?.platformFeeBps ?? 0);
  if (payoff === null) {
    return <p class="note">{t(stakeMinor === null ? 'stakeBad' : price === null ? 'quoteOnly' : 'paysNote')}</p>;
  }
  const contracts = Number(payoff.contracts) / 1_000_000;
  return (
    <div class="payoff" data-test="payoff">
      <dl>
        <dt>{t('payoutIfWon')}</dt>
        <dd class="yes-text">
          <Money amount={decimal(payoff.payoutMinor)} />
          <small class="share">{signedPercent(payoff.gainPercent)}</small>
        </dd>
      </dl>
      <p class="note">
        {plural('contractsAt', contracts, quantity(contracts), { price: shownText(price) ?? '' })}. {t('estimateNote')}
      </p>
    </div>
  );
}

/** The usual stakes as buttons that fill in the field. */
export function QuickStakes({ stake, onStake }: { readonly stake: string; readonly onStake: (stake: string) => void }) {
  return (
    <div class="quick">
      {STAKES.map((amount) => (
        <button type="button" key={amount} class="chip" aria-pressed={stake === amount} onClick={() => onStake(amount)}>
          {usd(amount).replace(/[.,]00/, '')}
        </button>
      ))}
    </div>
  );
}

/** For a stake above the lowest limit: the name of that limit, and the largest stake. */
export function TooMuch(props: {
  readonly largest: NonNullable<FrameAccount['largestStake']>;
  readonly onStake: (stake: string) => void;
}) {
  const { amount, limit } = props.largest;
  const isSome = Number(amount) > 0;
  return (
    <>
      <p class="note wrong" role="alert">
        {refusalText(limit)} {isSome && t('maxStake', { amount: usd(amount) })}
      </p>
      {isSome && (
        <button type="button" class="button plain" onClick={() => props.onStake(String(Number(amount)))}>
          {t('stakeLess', { amount: usd(amount) })}
        </button>
      )}
    </>
  );
}

/** The balance, and a button that stakes as much of it as the limits allow. Empty if the operator holds the money. */
export function Balance({ onMax }: { readonly onMax: (stake: string) => void }) {
  const available = account.value?.available ?? null;
  if (available === null) {
    return null;
  }
  const most = account.value?.largestStake?.amount ?? available;
  return (
    <span class="balance">
      {t('balance', { amount: usd(available) })}
      <button type="button" class="link" onClick={() => onMax(String(Number(most)))}>
        {t('max')}
      </button>
    </span>
  );
}
