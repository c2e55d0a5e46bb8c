/** The terms of a quote or a fill, line by line, and the countdown of a held price. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Quote } from '../../wire/quote.ts';
import { price, quantity } from '../format.ts';
import { Money } from '../parts/money.tsx';
import { serviceNow } from '../service-clock.ts';
import { t } from '../texts/texts.ts';

export function Terms({ quote }: { readonly quote: Quote }) {
  const { operatorMoney, operatorExitMoney } = quote;
  return (
    <dl class="terms">
      <Term name={t('price')}>
        <b>{price(quote.executionPrice * 100)}</b>
      </Term>
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

export function Countdown({ until, heldMs: held }: { readonly until: string; readonly heldMs: number }) {
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

const held = new Map<string, number>();

/** How long a quote was still valid when it was first shown, in milliseconds. */
export function heldMs({ quoteId, expiresAt }: Quote): number {
  const known = held.get(quoteId) ?? Math.max(1_000, Date.parse(expiresAt) - serviceNow());
  held.set(quoteId, known);
  return known;
}
