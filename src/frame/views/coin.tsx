/**
 * The five-minute market of a coin: the price to beat, the price now and the seconds left, the coin's course with a line at the
 * price to beat, and a ticket that buys with one tap. If the venue reports no course, only the price to beat and the time are
 * shown.
 */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, EventCourse, Outcome } from '../../wire/catalogue.ts';
import type { Quote } from '../../wire/quote.ts';
import { clockTime, coinPrice, price } from '../format.ts';
import { ChanceText, DollarSign } from '../parts/figures.tsx';
import { refusalText } from '../parts/states.tsx';
import { call, ServiceRefusal, serviceNow } from '../service.ts';
import { t } from '../texts/texts.ts';
import { type Deal, exceededBy } from '../trading/deal.ts';
import { centsOf } from '../trading/estimate.ts';
import { isFiveMinutes, shownPrice, sideLabel, startOf } from '../trading/price.ts';
import { DealSteps } from './deal-steps.tsx';
import { Plot } from './plot.tsx';
import { Balance, QuickStakes, TooMuch } from './ticket.tsx';

const TURN_MS = 250;
/** Venues report the price of a coin at this interval. */
const COURSE_MS = 2_000;
const LETTER_PX = 7.6;
const NO_COURSE: EventCourse = { coin: [], scores: [] };
const COLOURS = new Map([['coin', 'var(--series-0)']]);

/** The course of a coin, which is read repeatedly while its market is open and the page is visible, or the scores of a game. */
export function useCourse(event: CatalogueEvent): EventCourse {
  const course = useSignal(NO_COURSE);
  const five = isFiveMinutes(event);
  const hasCourse = event.eventType === 'game' || (event.kind === 'binary' && event.category === 'crypto');
  useEffect(() => {
    if (!hasCourse) {
      return;
    }
    const stop = new AbortController();
    const ask = async () => {
      const { coin, scores } = course.peek();
      const since = coin.at(-1)?.[0] ?? scores.at(-1)?.[0] ?? 0;
      const path = `/events/${encodeURIComponent(event.id)}/course?since=${since}`;
      const more = await call<EventCourse>(path, { signal: stop.signal }).catch(() => NO_COURSE);
      if (!stop.signal.aborted && more.coin.length + more.scores.length > 0) {
        course.value = { coin: [...coin, ...more.coin], scores: [...scores, ...more.scores] };
      }
    };
    void ask();
    const timer = five
      ? window.setInterval(() => document.visibilityState === 'visible' && void ask(), COURSE_MS)
      : undefined;
    return () => {
      stop.abort();
      window.clearInterval(timer);
    };
  }, [event.id, five, event.liveMatch?.observedAt]);
  return course.value;
}

interface CoinProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  readonly coin: EventCourse['coin'];
}

export function CoinFacts({ event, outcome: { threshold }, coin }: CoinProps) {
  const turn = useSignal(0);
  useEffect(() => {
    const timer = window.setInterval(() => {
      turn.value += 1;
    }, TURN_MS);
    return () => window.clearInterval(timer);
  }, []);
  // Reading it draws the time again with each turn.
  void turn.value;
  const now = serviceNow();
  const begins = startOf(event);
  const seconds = Math.max(0, Math.ceil(((now < begins ? begins : Date.parse(event.closesAt)) - now) / 1000));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const price = coin.at(-1)?.[1];
  const above = threshold === null || price === undefined ? null : price >= threshold;
  return (
    <dl class="five">
      <div>
        <dt>{t('strike')}</dt>
        <dd>{threshold === null ? t('strikeLater') : coinPrice(threshold)}</dd>
      </div>
      {price !== undefined && (
        <div>
          <dt>{t('coinNow')}</dt>
          <dd class={above === null ? undefined : above ? 'yes-text' : 'no-text'}>
            {coinPrice(price)}{' '}
            {threshold !== null && (
              <small>{`${above === true ? '▲' : '▼'} ${coinPrice(Math.abs(price - threshold))}`}</small>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>{t(now < begins ? 'startsIn' : 'timeLeft')}</dt>
        <dd class={seconds <= 30 ? 'no-text' : undefined}>
          <span role="timer" aria-live="off">
            {left}
          </span>
        </dd>
      </div>
    </dl>
  );
}

/** The chart of the five minutes from start to end. Before they start, it shows the five minutes before. */
export function CoinChart({ event, outcome: { threshold }, coin }: CoinProps) {
  const point = useSignal<number | null>(null);
  const begins = startOf(event) / 1000;
  const ends = Date.parse(event.closesAt) / 1000;
  const span = threshold === null ? ([begins - (ends - begins), begins] as const) : ([begins, ends] as const);
  const series = useMemo(
    () => [{ contractId: 'coin', label: event.title, points: coin.filter(([at]) => at >= span[0]) }],
    [coin, span[0]],
  );
  const shown = point.value === null ? undefined : coin.findLast(([at]) => at <= (point.value ?? 0));
  const scale = {
    format: coinPrice,
    range: (low: number, high: number) => around(threshold, low, high),
    room: LETTER_PX * coinPrice(threshold ?? coin[0]?.[1] ?? 0).length,
    endRoom: 0,
  };
  return (
    <figure class="chart" aria-label={t('coinChart')}>
      {shown !== undefined && (
        <p class="moment">
          {clockTime(shown[0] * 1000)} <b>{coinPrice(shown[1])}</b>
        </p>
      )}
      <Plot
        series={series}
        colours={COLOURS}
        scale={scale}
        span={span}
        level={threshold === null ? null : { value: threshold, label: t('strike') }}
        onPoint={(second) => {
          point.value = second;
        }}
      />
    </figure>
  );
}

/** The prices and the price to beat, with a margin. */
function around(threshold: number | null, low: number, high: number): [number, number] {
  const [from, to] = threshold === null ? [low, high] : [Math.min(low, threshold), Math.max(high, threshold)];
  const room = Math.max(to * 1e-5, (to - from) * 0.15);
  return [from - room, to + room];
}

const SIDES = ['YES', 'NO'] as const;
/** A quote of such a market is held for five seconds. */
const QUOTE_AGAIN_MS = 4_000;
const TYPING_MS = 300;
/** A tap may pay this much more for a contract than the price on the button. */
const BOUND_CENTS = 2;
const DEAREST_CENTS = 99;

interface QuickTicketProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  /** As typed. */
  readonly stake: Signal<string>;
  readonly deal: Deal;
  /** Shared with the chance above the ticket, so that both show the same. */
  readonly quotes: Signal<SideQuotes>;
}

/** A quote of each side, or the code of its refusal. */
export type SideQuotes = Partial<Record<Side, Quote | string>>;

/** The chance of a five-minute market: between the quotes of its sides, or the reference as far as they allow it. */
export function QuotedChance({ outcome, quotes }: Pick<QuickTicketProps, 'outcome' | 'quotes'>) {
  const { probability: reference } = shownPrice(outcome);
  const [yes, no] = SIDES.map((side) => priceOf(quotes.value[side]));
  const [low, high] = [no === undefined ? 0 : 1 - no, yes ?? 1];
  const isBoth = yes !== undefined && no !== undefined;
  const share = isBoth ? (low + high) / 2 : reference === null ? null : Math.min(high, Math.max(low, reference));
  return (
    <span class="chance large">
      <ChanceText share={share} of={outcome} />
    </span>
  );
}

function priceOf(quote: Quote | string | undefined): number | undefined {
  return typeof quote === 'object' ? quote.executionPrice : undefined;
}

/**
 * The ticket of a five-minute market, which buys with one tap on a side. Its price comes from quotes alone, so both sides are quoted
 * repeatedly while the page is visible. A tap takes a new quote and orders at once if the price is within the bound that is written
 * on the button.
 */
export function QuickTicket({ event, outcome, stake, deal, quotes }: QuickTicketProps) {
  const id = useId();
  const { step } = deal.state.value;
  const { open } = shownPrice(outcome);
  const isAsking = step === 'asking' || step === 'refused';
  const largest = exceededBy(stake.value);
  const isBad = centsOf(stake.value) === null;
  useQuotes(quotes, outcome.id, stake.value, open && isAsking && largest === null);
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
          <div class={isBad ? 'amount bad' : 'amount'}>
            <DollarSign />
            <input
              id={id}
              type="text"
              inputMode="decimal"
              autocomplete="off"
              maxLength={12}
              value={stake.value}
              aria-invalid={isBad}
              aria-describedby={`${id}note`}
              onInput={({ currentTarget }) => change(currentTarget.value)}
            />
          </div>
          <QuickStakes stake={stake.value} onStake={change} />
          <div class="two big">
            {SIDES.map((side) => (
              <TapButton key={side} {...{ event, outcome, side, stake, deal, quotes }} />
            ))}
          </div>
          {largest === null ? (
            <p id={`${id}note`} class={isBad ? 'note wrong' : 'note'}>
              {t(!open ? 'closed' : isBad ? 'stakeBad' : 'tapNote')}
            </p>
          ) : (
            <TooMuch largest={largest} onStake={change} />
          )}
        </>
      )}
      <DealSteps deal={deal} onClose={deal.reset} again={deal.reset} onStake={(amount) => change(String(amount))} />
    </section>
  );
}

function TapButton({ event, outcome, side, stake, deal, quotes }: QuickTicketProps & { readonly side: Side }) {
  const name = sideLabel(outcome, side);
  const quote = quotes.value[side];
  const quoted = priceOf(quote);
  const cents = quoted === undefined ? null : quoted * 100;
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

/** Keeps a quote of each side for the stake, which is renewed while the page is visible. */
function useQuotes(quotes: Signal<SideQuotes>, marketId: string, typed: string, wanted: boolean): void {
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
}

function codeOf(error: unknown): string {
  return error instanceof ServiceRefusal ? error.code : 'away';
}
