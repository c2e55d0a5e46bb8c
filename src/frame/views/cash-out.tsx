/** Selling a position: a share of it or a number of contracts, what that would bring, a held offer, a confirmation. */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { Position } from '../../wire/position.ts';
import { takeFocus } from '../focus.ts';
import { quantity, signedPercent } from '../format.ts';
import { Gain, Money } from '../parts/money.tsx';
import { t } from '../texts/texts.ts';
import { account } from '../trading/account.ts';
import { createDeal } from '../trading/deal.ts';
import { decimal, microContracts, minorOf, percentOf, proceedsOf } from '../trading/estimate.ts';
import { bidCents } from '../trading/price.ts';
import { DealSteps } from './deal-steps.tsx';
import { Term } from './deal-terms.tsx';
import type { HeldMarket } from './held-markets.ts';

const SHARES = [25, 50, 75, 100] as const;
const CONTRACTS = /^\d{1,10}(?:[.,]\d{1,6})?$/;
const MICROS = 1_000_000;

interface CashOutProps {
  readonly position: Position;
  readonly market: HeldMarket | undefined;
  readonly onClose: () => void;
}

export function CashOut({ position, market, onClose }: CashOutProps) {
  const deal = useMemo(createDeal, []);
  /** Percent of the position, or null if a number was typed. */
  const share = useSignal<number | null>(100);
  const typed = useSignal('');
  const bad = useSignal(false);
  const id = useId();
  useEffect(() => deal.end, []);
  const { step } = deal.state.value;
  const field = useRef<HTMLInputElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // The form is new after each step back, and what had the focus is gone.
    if (step === 'refused' || (step === 'asking' && !isFirst.current)) {
      takeFocus(field.current);
    }
    isFirst.current = false;
  }, [step]);
  const contracts = share.value === null ? readContracts(typed.value) : shareOf(position.quantity, share.value);
  const isValid = contracts > 0 && contracts <= position.quantity;
  const choose = (next: number | null, text: string) => {
    share.value = next;
    typed.value = text;
    bad.value = false;
    if (step === 'refused') {
      deal.reset();
    }
  };
  const ask = (submit?: Event) => {
    submit?.preventDefault();
    bad.value = !isValid;
    if (isValid) {
      void deal.ask({ marketId: position.contractId, side: position.side, action: 'sell', contracts });
    }
  };
  return (
    <div class="ticket inside">
      {(step === 'asking' || step === 'refused') && (
        <form onSubmit={ask} noValidate>
          <div class="quick" role="group" aria-label={t('cashOutShare')}>
            {SHARES.map((percent) => (
              <button
                type="button"
                key={percent}
                class="chip"
                aria-pressed={share.value === percent}
                onClick={() => choose(percent, '')}
              >
                {percent === 100 ? t('all') : `${percent}%`}
              </button>
            ))}
          </div>
          <label class="field" for={`${id}contracts`}>
            {t('cashOutAsk')}
          </label>
          <div class={bad.value ? 'amount bad' : 'amount'}>
            <input
              id={`${id}contracts`}
              ref={field}
              type="text"
              inputMode="decimal"
              autocomplete="off"
              maxLength={18}
              value={share.value === null ? typed.value : quantity(contracts)}
              aria-invalid={bad.value}
              aria-describedby={`${id}note`}
              onInput={(input) => choose(null, input.currentTarget.value)}
            />
            <small class="approx">{t('ofHeld', { n: quantity(position.quantity) })}</small>
          </div>
          {isValid && <Estimate position={position} market={market} contracts={contracts} />}
          <p id={`${id}note`} class={bad.value ? 'note wrong' : 'note'}>
            {bad.value ? t('contractsBad', { n: quantity(position.quantity) }) : t('cashOutNote')}
          </p>
          <button type="submit" class="button">
            {t('getPrice')}
          </button>
          <button type="button" class="button plain" onClick={onClose}>
            {t('cancel')}
          </button>
        </form>
      )}
      <DealSteps deal={deal} again={() => ask()} onClose={onClose} />
    </div>
  );
}

/** What the contracts bring at the present bid, and the profit over their share of the cost. */
function Estimate({ position, market, contracts }: Omit<CashOutProps, 'onClose'> & { readonly contracts: number }) {
  const bid = market === undefined ? null : bidCents(market.outcome, position.side);
  const sold = microContracts(contracts);
  const held = microContracts(position.quantity);
  const proceeds = proceedsOf(sold, bid, account.value?.platformFeeBps ?? 0);
  if (proceeds === null || held === 0n) {
    return null;
  }
  const cost = (minorOf(position.operatorMoney.costBasis) * sold) / held;
  const gain = proceeds - cost;
  return (
    <dl class="terms" data-test="estimate">
      <Term name={t('estimate')} strong>
        <Money amount={decimal(proceeds)} />
      </Term>
      <Term name={t('result')}>
        <Gain amount={decimal(gain)} percent={signedPercent(percentOf(gain, cost))} />
      </Term>
    </dl>
  );
}

function readContracts(text: string): number {
  const plain = text.trim().replace(',', '.');
  return CONTRACTS.test(text.trim()) ? Number(plain) : 0;
}

/** In whole micro-contracts, rounded down; the whole position exactly. */
function shareOf(held: number, percent: number): number {
  return percent === 100 ? held : Number((microContracts(held) * BigInt(percent)) / 100n) / MICROS;
}
