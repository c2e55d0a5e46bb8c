/** One position: what it cost, what it is worth now and the profit; once it is over, how it ended and what it paid. */
import type { ComponentChildren } from 'preact';
import type { Position } from '../../wire/position.ts';
import type { Settlement } from '../../wire/reconciliation.ts';
import { day, price, quantity, signedPercent } from '../format.ts';
import { EventPicture } from '../parts/event-picture.tsx';
import { Gain, Money } from '../parts/money.tsx';
import { go, leave, route } from '../route.ts';
import { plural, t } from '../texts/texts.ts';
import { maySell } from '../trading/account.ts';
import { decimal, minorOf, payoutOf, percentOf } from '../trading/estimate.ts';
import { sideLabel } from '../trading/price.ts';
import { CashOut } from './cash-out.tsx';
import type { HeldMarket } from './held-markets.ts';
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
  /** For a customer who may not trade: no cash-out, and no way to the market. */
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

/** What was staked and what came back. The stake of a settlement is its credit less its profit, by definition. */
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
