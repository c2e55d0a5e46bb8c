/**
 * One position. While it is open, the card shows its cost, its current worth and profit, and sells all or a part of it (the cash-out).
 * Once it has ended, the card shows its result and its payment.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { Position } from '../../wire/position.ts';
import type { Settlement } from '../../wire/reconciliation.ts';
import { day, price, quantity, signedPercent } from '../format.ts';
import type { HeldMarket } from '../market/find-markets.ts';
import { Gain, Money } from '../parts/figures.tsx';
import { EventPicture } from '../parts/pictures.tsx';
import { go, leave, route, takeFocus } from '../route.ts';
import { plural, t } from '../texts/texts.ts';
import { account, createDeal, maySell } from '../trading/deal.ts';
import { decimal, microContracts, minorOf, payoutOf, percentOf, proceedsOf } from '../trading/estimate.ts';
import { bidCents, sideLabel } from '../trading/price.ts';
import { DealSteps, Term } from './deal-steps.tsx';
import { worthOf } from './holdings.tsx';

const OPEN = { name: 'positions', list: 'open' } as const;

/** Whether the cash-out of the position is open. Its card stays until the customer has seen the result. */
export function isSelling({ positionId }: Position): boolean {
  return route.value.name === 'positions' && route.value.selling === positionId;
}

interface CardProps {
  readonly position: Position;
  readonly market: HeldMarket | undefined;
  /** How it was settled, if it was. */
  readonly settlement: Settlement | undefined;
  /** For a customer who may not trade: the card offers neither a cash-out nor the market. */
  readonly readOnly?: boolean;
}

export function PositionCard({ position, market, settlement, readOnly = false }: CardProps) {
  const { side, status } = position;
  const isOpen = status === 'open';
  const name = market === undefined ? t(side === 'YES' ? 'yes' : 'no') : sideLabel(market.outcome, side);
  const canSell =
    !readOnly &&
    maySell.value &&
    isOpen &&
    position.quantity > 0 &&
    market?.outcome.status === 'open' &&
    !market.outcome.tradingClosed;
  return (
    <li class="card">
      <div class="card-head">
        {market !== undefined && <EventPicture event={market.event} />}
        <div>
          <p class="over">
            <b class={side === 'YES' ? 'tag yes-tag' : 'tag no-tag'}>{name}</b>
            {market !== undefined && market.event.kind !== 'binary' && <span>{market.outcome.label}</span>}
          </p>
          <h2>
            {market === undefined || readOnly ? (
              <span class="title">{market?.event.title ?? t('unknownMarket')}</span>
            ) : (
              <button
                type="button"
                class="title"
                onClick={() => go({ name: 'event', eventId: market.event.id, pick: null })}
              >
                {market.event.title}
              </button>
            )}
          </h2>
        </div>
        {!isOpen && <Verdict status={status} settlement={settlement} />}
      </div>
      {isOpen ? <OpenFigures position={position} market={market} /> : <PastFigures {...{ position, settlement }} />}
      <p class="held-foot">
        {isOpen && (
          <span class="note">
            {plural('contractsAt', position.quantity, quantity(position.quantity), {
              price: price(position.averagePrice * 100),
            })}
          </span>
        )}
        {!readOnly && (
          <button
            type="button"
            class="link"
            aria-label={`${t('ordersOf')}: ${market?.event.title ?? t('unknownMarket')}`}
            onClick={() => go({ name: 'activity', of: { contractId: position.contractId, side } })}
          >
            {t('ordersOf')}
          </button>
        )}
      </p>
      {!readOnly && isSelling(position) ? (
        <CashOut position={position} market={market} onClose={() => leave(OPEN)} />
      ) : (
        canSell && (
          <button type="button" class="button plain" onClick={() => go({ ...OPEN, selling: position.positionId })}>
            {t('cashOut')}
          </button>
        )
      )}
    </li>
  );
}

function OpenFigures({ position, market }: Omit<CardProps, 'settlement'>) {
  const { worthMinor, gainMinor, gainPercent } = worthOf(position, market);
  return (
    <dl class="figures">
      <Figure name={t('worthNow')}>{worthMinor === null ? '–' : <Money amount={decimal(worthMinor)} />}</Figure>
      <Figure name={t('result')}>
        {gainMinor === null ? '–' : <Gain amount={decimal(gainMinor)} percent={signedPercent(gainPercent)} />}
      </Figure>
      <Figure name={t('staked')}>
        <Money amount={position.operatorMoney.costBasis} />
      </Figure>
      <Figure name={t('payoutIfWon')}>
        <Money amount={decimal(payoutOf(position.quantity))} />
      </Figure>
    </dl>
  );
}

/** The stake, the payout and the profit. The stake of a settlement is its credit less its profit, by definition. */
function PastFigures({ position, settlement }: Omit<CardProps, 'market'>) {
  if (settlement === undefined) {
    return (
      <dl class="figures">
        <Figure name={t('result')}>
          <Gain amount={position.operatorMoney.realisedPnl} />
        </Figure>
        <Figure name={t('date')}>{day(position.updatedAt)}</Figure>
      </dl>
    );
  }
  const { operatorMoney, realisedPnl, settledAt } = settlement;
  const credit = minorOf(operatorMoney.settlementCredit) + minorOf(operatorMoney.voidCredit);
  const gain = minorOf(realisedPnl);
  const staked = credit - gain;
  return (
    <dl class="figures">
      <Figure name={t('staked')}>
        <Money amount={decimal(staked)} />
      </Figure>
      <Figure name={t('payout')}>
        <Money amount={decimal(credit)} />
      </Figure>
      <Figure name={t('result')}>
        <Gain amount={realisedPnl} percent={signedPercent(percentOf(gain, staked))} />
      </Figure>
      <Figure name={t('date')}>{day(settledAt)}</Figure>
    </dl>
  );
}

function Verdict({ status, settlement }: Pick<Position, 'status'> & Pick<CardProps, 'settlement'>) {
  if (settlement === undefined) {
    return <b class="verdict">{t(`status_${status}`)}</b>;
  }
  return <b class={`verdict ${settlement.outcome}`}>{t(`outcome_${settlement.outcome}`)}</b>;
}

function Figure(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

const SHARES = [25, 50, 75, 100] as const;
const CONTRACTS = /^\d{1,10}(?:[.,]\d{1,6})?$/;
const MICROS = 1_000_000;

interface CashOutProps {
  readonly position: Position;
  readonly market: HeldMarket | undefined;
  readonly onClose: () => void;
}

/** The sale of a position: a share of it or a number of contracts, the estimated proceeds, a held offer, a confirmation. */
function CashOut({ position, market, onClose }: CashOutProps) {
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
    // After each step back the form is new, and the element that had the focus is gone.
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

/** The proceeds of the contracts at the present bid, and the profit over their share of the cost. */
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

/** Whole micro-contracts, rounded down. 100 percent is exactly the whole position. */
function shareOf(held: number, percent: number): number {
  return percent === 100 ? held : Number((microContracts(held) * BigInt(percent)) / 100n) / MICROS;
}
