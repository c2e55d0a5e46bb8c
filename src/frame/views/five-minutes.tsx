/**
 * The ticket of a five-minute market: one tap on a side. Its price comes from quotes alone, so both sides are quoted again and again
 * while the page is looked at. A tap takes a new quote and orders at once, as long as the price is within the bound that is written on
 * the button.
 */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import type { Quote } from '../../wire/quote.ts';
import { price } from '../format.ts';
import { DollarSign } from '../parts/money.tsx';
import { refusalText } from '../parts/states.tsx';
import { call, ServiceRefusal } from '../service.ts';
import { t } from '../texts/texts.ts';
import { exceededBy } from '../trading/account.ts';
import type { Deal } from '../trading/deal.ts';
import { centsOf } from '../trading/estimate.ts';
import { shownPrice, sideLabel } from '../trading/price.ts';
import { DealSteps } from './deal-steps.tsx';
import { Balance, QuickStakes, TooMuch } from './payoff.tsx';

const SIDES = ['YES', 'NO'] as const;
/** A quote of such a market is held for five seconds. */
const QUOTE_AGAIN_MS = 4_000;
const TYPING_MS = 300;
/** How much more than the price on the button a tap may pay for a contract. */
const BOUND_CENTS = 2;
const DEAREST_CENTS = 99;

interface QuickTicketProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  /** As typed. */
  readonly stake: Signal<string>;
  readonly deal: Deal;
}

export function QuickTicket({ event, outcome, stake, deal }: QuickTicketProps) {
  const id = useId();
  const { step } = deal.state.value;
  const { open } = shownPrice(outcome);
  const isAsking = step === 'asking' || step === 'refused';
  const largest = exceededBy(stake.value);
  const quotes = useQuotes(outcome.id, stake.value, open && isAsking && largest === null);
  const change = (text: string) => {
    stake.value = text;
    deal.reset();
  };
  return (
    <section class="ticket quick-ticket" aria-label={t('ticket')}>
      {isAsking && (
        <>
          <div class="field-line">
            <label class="field" for={id}>
              {t('stake')}
            </label>
            <Balance onMax={change} />
          </div>
          <div class={centsOf(stake.value) === null ? 'amount bad' : 'amount'}>
            <DollarSign />
            <input
              id={id}
              type="text"
              inputMode="decimal"
              autocomplete="off"
              maxLength={12}
              value={stake.value}
              aria-invalid={centsOf(stake.value) === null}
              onInput={({ currentTarget }) => change(currentTarget.value)}
            />
          </div>
          <QuickStakes stake={stake.value} onStake={change} />
          <div class="two big">
            {SIDES.map((side) => (
              <TapButton key={side} {...{ event, outcome, side, stake, deal }} quote={quotes[side] ?? null} />
            ))}
          </div>
          {largest === null ? (
            <p class="note">{t(open ? 'tapNote' : 'closed')}</p>
          ) : (
            <TooMuch largest={largest} onStake={change} />
          )}
        </>
      )}
      <DealSteps deal={deal} onClose={deal.reset} again={deal.reset} onStake={(amount) => change(String(amount))} />
    </section>
  );
}

interface TapButtonProps extends QuickTicketProps {
  readonly side: Side;
  readonly quote: Quote | string | null;
}

function TapButton({ event, outcome, side, stake, deal, quote }: TapButtonProps) {
  const name = sideLabel(outcome, side);
  const cents = quote === null || typeof quote === 'string' ? null : quote.executionPrice * 100;
  const most = cents === null ? null : Math.min(DEAREST_CENTS, cents + BOUND_CENTS);
  const under =
    most === null
      ? typeof quote === 'string'
        ? refusalText(quote)
        : t('gettingPrice')
      : t('atMost', { price: price(most) });
  const tap = () => {
    const stakeMinor = centsOf(stake.value);
    if (most !== null && stakeMinor !== null) {
      const request = { marketId: outcome.id, side, action: 'buy', stake: Number(stakeMinor) / 100 } as const;
      void deal.buyWithin(request, most / 100);
    }
  };
  return (
    <button
      type="button"
      class={`price ${side === 'YES' ? 'yes' : 'no'}`}
      disabled={most === null}
      aria-label={`${[name, price(cents), under].filter(Boolean).join(' ')}, ${t('buy')}: ${event.title}`}
      onClick={tap}
    >
      <span>{name}</span> {cents !== null && <b>{price(cents)}</b>} <small>{under}</small>
    </button>
  );
}

/** A quote of each side for the stake, or the code of its refusal; asked again while the page is visible. */
function useQuotes(marketId: string, typed: string, wanted: boolean): Partial<Record<Side, Quote | string>> {
  const quotes = useSignal<Partial<Record<Side, Quote | string>>>({});
  useEffect(() => {
    const stakeMinor = centsOf(typed);
    quotes.value = {};
    if (!wanted || stakeMinor === null) {
      return;
    }
    const stop = new AbortController();
    const body = { marketId, action: 'buy', stake: Number(stakeMinor) / 100 } as const;
    const ask = async (side: Side) => {
      const answer = await call<Quote>('/quotes', { body: { ...body, side }, signal: stop.signal }).catch(codeOf);
      if (!stop.signal.aborted) {
        quotes.value = { ...quotes.value, [side]: answer };
      }
    };
    const askBoth = () => document.visibilityState === 'visible' && SIDES.forEach((side) => void ask(side));
    const first = window.setTimeout(askBoth, TYPING_MS);
    const timer = window.setInterval(askBoth, QUOTE_AGAIN_MS);
    return () => {
      stop.abort();
      window.clearTimeout(first);
      window.clearInterval(timer);
    };
  }, [marketId, typed, wanted]);
  return quotes.value;
}

function codeOf(error: unknown): string {
  return error instanceof ServiceRefusal ? error.code : 'away';
}
