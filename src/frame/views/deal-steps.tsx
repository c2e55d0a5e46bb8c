/**
 * The steps of a deal after the request for a price, one component for each: the held price, the wait, the receipt, a refusal, an
 * order that ended without a fill.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Order } from '../../wire/order.ts';
import type { Quote } from '../../wire/quote.ts';
import { price, quantity, usd } from '../format.ts';
import { Money, Reference } from '../parts/figures.tsx';
import { Icon } from '../parts/pictures.tsx';
import { endText, refusalText } from '../parts/states.tsx';
import { catchFocus, go } from '../route.ts';
import { serviceNow } from '../service.ts';
import { t } from '../texts/texts.ts';
import { acceptsWorse, account, type Deal, type DealState, WORSE_PRICE } from '../trading/deal.ts';
import { type EndedOrder, endReason } from '../trading/end-reason.ts';
import { decimal, payoutOf } from '../trading/estimate.ts';
import { AcceptWorse } from './settings.tsx';

interface StepsProps {
  readonly deal: Deal;
  readonly again: () => void;
  readonly onClose: () => void;
  /** Stakes a smaller amount, in dollars, that would be accepted. */
  readonly onStake?: (amount: number) => void;
}

export function DealSteps({ deal, again, onClose, onStake }: StepsProps) {
  const state = deal.state.value;
  const ended = deal.ended.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.step !== 'asking') {
      place.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [state.step]);
  return (
    <div class="deal" role="status" aria-live="polite" ref={place}>
      {ended !== null && <Ended order={ended} />}
      {state.step === 'ended' && ended !== null && <AfterEnd {...{ deal, again }} order={ended} />}
      {state.step === 'quoting' && <Busy text={t('gettingPrice')} />}
      {state.step === 'offered' && <Offer state={state} deal={deal} />}
      {state.step === 'expired' && <Expired quote={state.quote} deal={deal} again={again} />}
      {state.step === 'placing' && <Busy text={t('confirming')} />}
      {state.step === 'following' && <Following order={state.order} quote={state.quote} onClose={onClose} />}
      {state.step === 'done' && <Receipt {...{ deal, onClose }} order={state.order} asked={state.asked} />}
      {state.step === 'refused' && <Refused state={state} onStake={onStake} />}
    </div>
  );
}

export function Busy({ text }: { readonly text: string }) {
  return (
    <p class="busy">
      <i class="spinner" aria-hidden="true" />
      {text}
    </p>
  );
}

type RefusedState = Extract<DealState, { step: 'refused' }>;
/** Refusals that do not depend on the amount. */
const NOT_HERE = ['market_not_offered', 'market_not_open', 'market_paused', 'market_unavailable', 'market_not_found'];

/** The form stays above it, so that the customer can change the amount and try again. */
function Refused({ state, onStake }: Pick<StepsProps, 'onStake'> & { readonly state: RefusedState }) {
  const { maxStake, reason } = state.extra;
  const largest = Number(account.value?.largestStake?.amount ?? Number.POSITIVE_INFINITY);
  const most = typeof maxStake === 'number' && Math.min(maxStake, largest) > 0 ? Math.min(maxStake, largest) : null;
  return (
    <div class="offer">
      <p class="refusal">
        <Icon name="alert" />
        <span>
          {refusalText(state.code, reason)}
          {most !== null && ` ${t('maxStake', { amount: usd(most) })}`}
        </span>
      </p>
      {most !== null && onStake !== undefined && (
        <button type="button" class="button plain" onClick={() => onStake(most)}>
          {t('stakeLess', { amount: usd(most) })}
        </button>
      )}
      {NOT_HERE.includes(state.code) && (
        <button type="button" class="button plain" onClick={() => go({ name: 'markets' })}>
          {t('browse')}
        </button>
      )}
    </div>
  );
}

/** An order that ended without a fill: why, that it cost nothing, and its reference. It stays while the customer goes on. */
function Ended({ order }: { readonly order: EndedOrder }) {
  return (
    <div class="offer">
      <p class="refusal">
        <Icon name="alert" />
        <span>{endText(order)}</span>
      </p>
      <Reference of={order.executionRef} />
    </div>
  );
}

/** The ways on after an order that ended without a fill: a new price for the same amount, or another amount. */
function AfterEnd({ order, deal, again }: Pick<StepsProps, 'deal' | 'again'> & { readonly order: EndedOrder }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  const isHere = !NOT_HERE.includes(endReason(order));
  return (
    <div class="offer">
      <button type="button" class="button" ref={first} onClick={isHere ? again : () => go({ name: 'markets' })}>
        {t(isHere ? 'newPrice' : 'browse')}
      </button>
      {isHere && (
        <button type="button" class="button plain" onClick={deal.reset}>
          {t('changeAmount')}
        </button>
      )}
    </div>
  );
}

function Offer({ state, deal }: { readonly state: Extract<DealState, { step: 'offered' }>; readonly deal: Deal }) {
  const { quote, was, why } = state;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus({ preventScroll: true }), [quote.quoteId]);
  const amount = usd(amountOf(quote));
  const now = price(quote.executionPrice * 100);
  const isNew = was !== null;
  const words =
    quote.action === 'buy' ? (isNew ? 'confirmNewBuy' : 'confirmBuy') : isNew ? 'confirmNewSell' : 'confirmSell';
  return (
    <div class="offer">
      {(why !== null || isNew) && (
        <p class="moved">
          <Icon name="alert" />
          <span>
            {why !== null && refusalText(why)} {isNew && t('priceWas', { old: price(was * 100), now })}
          </span>
        </p>
      )}
      <Terms quote={quote} />
      <AcceptWorse />
      <Countdown until={quote.expiresAt} heldMs={heldMs(quote)} />
      <button type="button" class="button" ref={confirm} onClick={() => void deal.confirm()}>
        {t(words, { amount })}
      </button>
      <button type="button" class="button plain" onClick={deal.reset}>
        {t('cancel')}
      </button>
    </div>
  );
}

const MOST_CENTS = 99.99;

/** The worst price in cents that a customer who accepts worse prices may get. */
function worstCents({ action, executionPrice }: Quote): number {
  const cents = (executionPrice + (action === 'buy' ? WORSE_PRICE : -WORSE_PRICE)) * 100;
  return Math.max(0, Math.min(MOST_CENTS, cents));
}

function amountOf({ operatorMoney, operatorExitMoney }: Quote): string {
  return operatorMoney?.authorizationAmount ?? operatorExitMoney?.sellProceeds ?? '0.00';
}

/** The terms of a quote, line by line. */
function Terms({ quote }: { readonly quote: Quote }) {
  const { operatorMoney, operatorExitMoney } = quote;
  return (
    <dl class="terms">
      <Term name={t('price')}>
        <b>{price(quote.executionPrice * 100)}</b>
      </Term>
      {acceptsWorse.value && <Term name={t('worstPrice')}>{price(worstCents(quote))}</Term>}
      <Term name={t('contracts')}>{quantity(quote.contracts)}</Term>
      {operatorMoney !== null && (
        <>
          <Term name={t('fee')}>
            <Money amount={operatorMoney.platformFee} />
          </Term>
          <Term name={t('payoutIfWon')}>
            <Money amount={quote.potentialPayout} />
          </Term>
          <Term name={t('staked')} strong>
            <Money amount={operatorMoney.authorizationAmount} />
          </Term>
        </>
      )}
      {operatorExitMoney !== null && (
        <>
          <Term name={t('feeTaken')}>
            <Money amount={operatorExitMoney.platformFee} />
          </Term>
          <Term name={t('proceeds')} strong>
            <Money amount={operatorExitMoney.sellProceeds} />
          </Term>
        </>
      )}
    </dl>
  );
}

export function Term(props: {
  readonly name: string;
  readonly strong?: boolean;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div class={props.strong ? 'term strong' : 'term'}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** The time for which the price is still held. */
function Countdown({ until, heldMs: held }: { readonly until: string; readonly heldMs: number }) {
  const left = useSignal(Math.max(0, Date.parse(until) - serviceNow()));
  useEffect(() => {
    const timer = window.setInterval(() => {
      left.value = Math.max(0, Date.parse(until) - serviceNow());
    }, 250);
    return () => window.clearInterval(timer);
  }, [until]);
  const seconds = Math.ceil(left.value / 1000);
  return (
    <div class={seconds <= 5 ? 'countdown soon' : 'countdown'} role="timer" aria-live="off">
      <span>{t('heldFor', { n: seconds })}</span>
      <i aria-hidden="true">
        <b style={{ width: `${Math.min(1, left.value / held) * 100}%` }} />
      </i>
    </div>
  );
}

/** By the id of the quote. */
const held = new Map<string, number>();

/** The time in milliseconds for which a quote was still valid when it was first shown. */
function heldMs({ quoteId, expiresAt }: Quote): number {
  const known = held.get(quoteId) ?? Math.max(1_000, Date.parse(expiresAt) - serviceNow());
  held.set(quoteId, known);
  return known;
}

function Expired({ quote, deal, again }: { readonly quote: Quote; readonly deal: Deal; readonly again: () => void }) {
  const renew = useRef<HTMLButtonElement>(null);
  // The button with the focus was removed.
  useEffect(() => renew.current?.focus({ preventScroll: true }), []);
  return (
    <div class="offer">
      <p class="moved">
        <Icon name="alert" />
        <span>{t('expired')}</span>
      </p>
      <div class="faded">
        <Terms quote={quote} />
      </div>
      <button type="button" class="button" ref={renew} onClick={again}>
        {t('newPrice')}
      </button>
      <button type="button" class="button plain" onClick={deal.reset}>
        {t('cancel')}
      </button>
    </div>
  );
}

/** The reason why an order is not final yet. */
export function waitingWords(order: Order | null): string {
  if (order === null || order.transmissionState === 'unknown') {
    return t('unknownOutcome');
  }
  return t(order.status === 'reserve_pending' ? 'waitingReserve' : 'waitingVenue');
}

type FollowingState = Omit<Extract<DealState, { step: 'following' }>, 'step'>;

/** An order that is not final yet, with the reason. The customer may leave, because the positions show it too. */
function Following({ order, quote, onClose }: Pick<StepsProps, 'onClose'> & FollowingState) {
  const leave = useRef<HTMLButtonElement>(null);
  useEffect(() => catchFocus(leave.current), []);
  const isBuy = quote.action === 'buy';
  return (
    <div class="offer">
      <Busy text={waitingWords(order)} />
      {order !== null && <Reference of={order.executionRef} />}
      <button
        type="button"
        class="button plain"
        ref={leave}
        onClick={() => (isBuy ? go({ name: 'positions', list: 'open' }) : onClose())}
      >
        {t(isBuy ? 'viewPositions' : 'close')}
      </button>
    </div>
  );
}

/** The result of an order: the contracts, price and money of its fills. */
function Receipt({
  order,
  asked,
  deal,
  onClose,
}: {
  readonly order: Order;
  /** Contracts of the quote. */
  readonly asked: number;
  readonly deal: Deal;
  readonly onClose: () => void;
}) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus({ preventScroll: true }), []);
  const { operatorMoney, operatorExitMoney } = order;
  const isSale = order.action === 'sell';
  const released = operatorMoney !== null && Number(operatorMoney.releaseAmount) > 0;
  return (
    <div class="offer receipt">
      <p class="success">
        <span>
          <Icon name="check" />
        </span>
        {t(order.action === 'buy' ? 'bought' : 'sold')}
      </p>
      {released && <p class="note">{t('partly')}</p>}
      {isSale && order.filledQuantity < asked && <p class="note">{t('partlySold')}</p>}
      <dl class="terms">
        <Term name={t('contracts')}>{quantity(order.filledQuantity)}</Term>
        {order.averagePrice !== null && <Term name={t('price')}>{price(order.averagePrice * 100)}</Term>}
        {operatorMoney !== null && (
          <>
            <Term name={t('payoutIfWon')}>
              <Money amount={decimal(payoutOf(order.filledQuantity))} />
            </Term>
            <Term name={t('staked')} strong>
              <Money amount={operatorMoney.actualDebit} />
            </Term>
          </>
        )}
        {released && (
          <Term name={t('givenBack')}>
            <Money amount={operatorMoney.releaseAmount} />
          </Term>
        )}
        {operatorExitMoney !== null && (
          <Term name={t('received')} strong>
            <Money amount={operatorExitMoney.sellProceeds} />
          </Term>
        )}
      </dl>
      <Reference of={order.executionRef} />
      <button
        type="button"
        class="button"
        ref={done}
        onClick={() => (order.action === 'buy' ? go({ name: 'positions', list: 'open' }) : onClose())}
      >
        {t(order.action === 'buy' ? 'viewPositions' : 'done')}
      </button>
      {order.action === 'buy' && (
        <button type="button" class="button plain" onClick={deal.reset}>
          {t('another')}
        </button>
      )}
    </div>
  );
}
