/** A deal as the customer sees it after asking: the held price with its countdown, the wait, the receipt, a refusal in words. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Order } from '../../wire/order.ts';
import type { Quote } from '../../wire/quote.ts';
import { cents, quantity, usd } from '../format.ts';
import { Icon } from '../parts/marks.tsx';
import { Money } from '../parts/money.tsx';
import { refusalText } from '../parts/states.tsx';
import { go } from '../route.ts';
import { serviceNow } from '../service-clock.ts';
import { t } from '../texts/texts.ts';
import type { Deal, DealState } from '../trading/deal.ts';

interface StepsProps {
  readonly deal: Deal;
  readonly again: () => void;
  readonly onClose: () => void;
}

export function DealSteps({ deal, again, onClose }: StepsProps) {
  const state = deal.state.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.step !== 'asking') place.current?.scrollIntoView({ block: 'nearest' });
  }, [state.step]);
  return (
    <div class="deal" role="status" aria-live="polite" ref={place}>
      {state.step === 'quoting' && <Busy text={t('gettingPrice')} />}
      {state.step === 'offered' && <Offer state={state} deal={deal} />}
      {state.step === 'expired' && <Expired quote={state.quote} deal={deal} again={again} />}
      {state.step === 'placing' && <Busy text={t('confirming')} />}
      {state.step === 'following' && <Following order={state.order} />}
      {state.step === 'done' && <Receipt order={state.order} deal={deal} onClose={onClose} />}
      {state.step === 'refused' && <Refused state={state} />}
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

function Refused({ state }: { readonly state: Extract<DealState, { step: 'refused' }> }) {
  const { maxStake } = state.extra;
  return (
    <p class="refusal">
      <Icon name="alert" />
      <span>
        {refusalText(state.code)}
        {typeof maxStake === 'number' && maxStake > 0 && ` ${t('maxStake', { amount: usd(maxStake) })}`}
      </span>
    </p>
  );
}

function Offer({ state, deal }: { readonly state: Extract<DealState, { step: 'offered' }>; readonly deal: Deal }) {
  const { quote, was, why } = state;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus({ preventScroll: true }), [quote.quoteId]);
  const amount = usd(amountOf(quote));
  const price = cents(quote.executionPrice * 100) ?? '';
  const isNew = was !== null;
  const words =
    quote.action === 'buy' ? (isNew ? 'confirmNewBuy' : 'confirmBuy') : isNew ? 'confirmNewSell' : 'confirmSell';
  return (
    <div class="offer">
      {why !== null && (
        <p class="moved">
          <Icon name="alert" />
          <span>
            {refusalText(why)} {isNew && t('priceWas', { old: cents(was * 100) ?? '', now: price })}
          </span>
        </p>
      )}
      <Terms quote={quote} />
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

function Terms({ quote }: { readonly quote: Quote }) {
  const { operatorMoney, operatorExitMoney } = quote;
  return (
    <dl class="terms">
      <Term name={t('pricePerContract')}>
        <b>{cents(quote.executionPrice * 100)}</b>
      </Term>
      <Term name={t('contracts')}>{quantity(quote.contracts)}</Term>
      {operatorMoney !== null && (
        <>
          <Term name={t('fee')}>
            <Money amount={operatorMoney.platformFee} />
          </Term>
          <Term name={t('pays')}>
            <Money amount={quote.potentialPayout} />
          </Term>
          <Term name={t('total')} strong>
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

function Term(props: {
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

function Expired({ quote, deal, again }: { readonly quote: Quote; readonly deal: Deal; readonly again: () => void }) {
  const renew = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
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

/** What an order that is not final waits for. */
export function waitingWords(order: Order | null): string {
  if (order === null || order.transmissionState === 'unknown') return t('unknownOutcome');
  return t(order.status === 'reserve_pending' ? 'waitingReserve' : 'waitingVenue');
}

/** An order that is not final yet: what it waits for, in words. */
function Following({ order }: { readonly order: Order | null }) {
  return (
    <div>
      <Busy text={waitingWords(order)} />
      {order !== null && <p class="note">{`${t('reference')} ${order.executionRef}`}</p>}
    </div>
  );
}

function Receipt({
  order,
  deal,
  onClose,
}: {
  readonly order: Order;
  readonly deal: Deal;
  readonly onClose: () => void;
}) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus({ preventScroll: true }), []);
  const { operatorMoney, operatorExitMoney, status } = order;
  const nothing = order.filledQuantity === 0;
  if (nothing) {
    return (
      <div class="offer">
        <p class="refusal">
          <Icon name="alert" />
          <span>{t(status === 'rejected' ? 'rejected' : 'cancelled')}</span>
        </p>
        <button type="button" class="button plain" ref={done} onClick={deal.reset}>
          {t('another')}
        </button>
      </div>
    );
  }
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
      <dl class="terms">
        <Term name={t('contracts')}>{quantity(order.filledQuantity)}</Term>
        {order.averagePrice !== null && <Term name={t('price')}>{cents(order.averagePrice * 100)}</Term>}
        {operatorMoney !== null && (
          <Term name={t('paid')} strong>
            <Money amount={operatorMoney.actualDebit} />
          </Term>
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
      <p class="note reference">{`${t('reference')} ${order.executionRef}`}</p>
      <button
        type="button"
        class="button"
        ref={done}
        onClick={() => (order.action === 'buy' ? go({ name: 'positions' }) : onClose())}
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

function amountOf({ operatorMoney, operatorExitMoney }: Quote): string {
  return operatorMoney?.authorizationAmount ?? operatorExitMoney?.sellProceeds ?? '0.00';
}

const held = new Map<string, number>();

/** How long a quote was held for when it was first seen, in milliseconds. */
function heldMs({ quoteId, expiresAt }: Quote): number {
  const known = held.get(quoteId) ?? Math.max(1_000, Date.parse(expiresAt) - serviceNow());
  held.set(quoteId, known);
  return known;
}
