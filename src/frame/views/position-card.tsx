/** One position, and its cash-out: how many contracts, a held offer, a confirmation. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import type { Position } from '../../wire/position.ts';
import { cents, day, quantity } from '../format.ts';
import { EventPicture } from '../parts/marks.tsx';
import { Money } from '../parts/money.tsx';
import { Chance } from '../parts/prices.tsx';
import { go } from '../route.ts';
import { t } from '../texts/texts.ts';
import { createDeal } from '../trading/deal.ts';
import { sideLabel } from '../trading/price.ts';
import { DealSteps } from './deal-steps.tsx';
import type { HeldMarket } from './held-markets.ts';

/** Positions with an open cash-out: their cards stay until the customer has seen the result. */
export const selling = signal<ReadonlySet<string>>(new Set());

function sell(positionId: string, on: boolean): void {
  const others = [...selling.value].filter((id) => id !== positionId);
  selling.value = new Set(on ? [...others, positionId] : others);
}

interface CardProps {
  readonly position: Position;
  readonly market: HeldMarket | undefined;
}

export function PositionCard({ position, market }: CardProps) {
  const { side, status, operatorMoney } = position;
  const isOpen = status === 'open';
  const isSelling = selling.value.has(position.positionId);
  const name = market === undefined ? t(side === 'YES' ? 'yes' : 'no') : sideLabel(market.outcome, side);
  const canSell = isOpen && position.quantity > 0 && market?.outcome.status === 'open' && !market.outcome.tradingClosed;
  return (
    <li class="card">
      <div class="card-head">
        {market !== undefined && <EventPicture url={market.event.imageUrl} />}
        <div>
          <p class="over">
            <b class={side === 'YES' ? 'tag yes-tag' : 'tag no-tag'}>{name}</b>
            {market !== undefined && market.event.kind !== 'binary' && <span>{market.outcome.label}</span>}
          </p>
          <h2>
            {market === undefined ? (
              <span class="title">{t('unknownMarket')}</span>
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
      </div>
      <dl class="figures">
        <Figure name={t('contracts')}>{quantity(position.quantity)}</Figure>
        <Figure name={t('averagePrice')}>{cents(position.averagePrice * 100)}</Figure>
        {isOpen ? (
          <Figure name={t('cost')}>
            <Money amount={operatorMoney.costBasis} />
          </Figure>
        ) : (
          <Figure name={t('result')}>
            <span class={Number(operatorMoney.realisedPnl) < 0 ? 'no-text' : 'yes-text'}>
              <Money amount={operatorMoney.realisedPnl} />
            </span>
          </Figure>
        )}
        {isOpen && market !== undefined ? (
          <Figure name={`${t('now')} · ${sideLabel(market.outcome, 'YES')}`}>
            <Chance outcome={market.outcome} />
          </Figure>
        ) : (
          <Figure name={day(position.updatedAt)}>{t(`status_${status}`)}</Figure>
        )}
      </dl>
      {isSelling ? (
        <CashOut position={position} onClose={() => sell(position.positionId, false)} />
      ) : (
        canSell && (
          <button type="button" class="button plain" onClick={() => sell(position.positionId, true)}>
            {t('cashOut')}
          </button>
        )
      )}
    </li>
  );
}

function Figure(props: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

const CONTRACTS = /^\d{1,10}(?:[.,]\d{1,6})?$/;

function CashOut({ position, onClose }: { readonly position: Position; readonly onClose: () => void }) {
  const deal = useMemo(createDeal, []);
  const held = String(position.quantity);
  const amount = useSignal(held);
  const bad = useSignal(false);
  const id = useId();
  useEffect(() => deal.end, []);
  const { step } = deal.state.value;
  const ask = (submit?: Event) => {
    submit?.preventDefault();
    const text = amount.value.trim().replace(',', '.');
    bad.value = !CONTRACTS.test(text) || Number(text) <= 0 || Number(text) > position.quantity;
    if (bad.value) {
      return;
    }
    void deal.ask({ marketId: position.contractId, side: position.side, action: 'sell', contracts: Number(text) });
  };
  return (
    <div class="ticket inside">
      {(step === 'asking' || step === 'refused') && (
        <form onSubmit={ask} noValidate>
          <label class="field" for={`${id}contracts`}>
            {t('cashOutAsk')}
          </label>
          <div class={bad.value ? 'amount bad' : 'amount'}>
            <input
              id={`${id}contracts`}
              type="text"
              inputMode="decimal"
              autocomplete="off"
              maxLength={18}
              value={amount.value}
              aria-invalid={bad.value}
              aria-describedby={`${id}note`}
              onInput={(input) => {
                amount.value = input.currentTarget.value;
                bad.value = false;
                if (step === 'refused') {
                  deal.reset();
                }
              }}
            />
            <button
              type="button"
              class="link"
              onClick={() => {
                amount.value = held;
              }}
            >
              {t('all')}
            </button>
          </div>
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
