/** The positions of the customer: open ones with orders that are not final, past ones, and for both the profit as a line. */
import { useEffect, useRef } from 'preact/hooks';
import type { PriceHistory } from '../../wire/catalogue.ts';
import type { Order, OrderPage } from '../../wire/order.ts';
import type { Position, PositionPage } from '../../wire/position.ts';
import type { LatestSettlements, Settlement } from '../../wire/reconciliation.ts';
import { day } from '../format.ts';
import { findMarkets, type HeldMarket, inTurns } from '../market/find-markets.ts';
import { Gain, Money, Reference } from '../parts/figures.tsx';
import { ProfitPath } from '../parts/spark.tsx';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { go, type Route } from '../route.ts';
import { call, serviceNow, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { traded } from '../trading/deal.ts';
import { decimal, minorOf } from '../trading/estimate.ts';
import { sideLabel } from '../trading/price.ts';
import { type Chances, type CoursePoint, courseOf } from '../trading/worth-course.ts';
import { Activity } from './activity.tsx';
import { Busy, waitingWords } from './deal-steps.tsx';
import { Holdings } from './holdings.tsx';
import { isSelling, PositionCard } from './position-card.tsx';

const POSITIONS_SHOWN = 200;
const ORDERS_LOOKED_AT = 20;
/** Settlements happen without an action of the customer, so the positions are read again at this interval. */
const REFRESH_MS = 10_000;

interface Held {
  readonly positions: readonly Position[];
  /** Orders whose amounts are not final. */
  readonly pending: readonly Order[];
  readonly markets: ReadonlyMap<string, HeldMarket>;
  /** By position. */
  readonly settlements: ReadonlyMap<string, Settlement>;
}

export function Positions({ view }: { readonly view: Extract<Route, { name: 'positions' | 'activity' }> }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const list = view.name === 'positions' ? view.list : null;
  return (
    <section aria-labelledby="positions-title">
      <h1 id="positions-title" class="view-title" tabIndex={-1} ref={heading}>
        {t('positions')}
      </h1>
      <div class="chips" role="group" aria-label={t('positions')}>
        {(['open', 'past'] as const).map((one) => (
          <button
            type="button"
            key={one}
            class="chip"
            aria-pressed={list === one}
            onClick={() => go({ name: 'positions', list: one })}
          >
            {t(`${one}Positions`)}
          </button>
        ))}
        <button
          type="button"
          class="chip"
          aria-pressed={list === null}
          onClick={() => go({ name: 'activity', of: null })}
        >
          {t('activity')}
        </button>
      </div>
      {view.name === 'positions' ? <HeldPositions list={view.list} /> : <Activity of={view.of} />}
    </section>
  );
}

function HeldPositions({ list }: { readonly list: 'open' | 'past' }) {
  const isPast = list === 'past';
  const { locale } = presentation.value;
  const { state, again } = useLoading(
    async (signal): Promise<Held> => {
      const [{ positions }, { orders }, { settlements }] = await Promise.all([
        call<PositionPage>(`/positions?limit=${POSITIONS_SHOWN}`, { signal }),
        call<OrderPage>(`/orders?limit=${ORDERS_LOOKED_AT}`, { signal }),
        call<LatestSettlements>('/settlements', { signal }),
      ]);
      const pending = orders.filter(({ settlementState }) => settlementState === 'pending');
      const ids = [...positions, ...pending].map(({ contractId }) => contractId);
      return {
        positions,
        pending,
        markets: await findMarkets(ids, locale, signal),
        settlements: new Map(settlements.map((settlement) => [settlement.positionId, settlement])),
      };
    },
    [locale, traded.value],
  );
  useEffect(() => {
    const timer = window.setInterval(again, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, []);
  const { data, failed } = state.value;
  const shown = (data?.positions ?? []).filter(
    (position) => (position.status === 'open' || isSelling(position)) !== isPast,
  );
  const held = shown.filter(({ status }) => status === 'open');
  const ids = isPast ? '' : shown.map(({ contractId }) => contractId).join(',');
  useEffect(() => watchPrices(ids === '' ? [] : ids.split(',')), [ids]);
  return (
    <>
      {!isPast && data !== null && data.pending.length > 0 && (
        <ul class="cards held" aria-label={t('pending')}>
          {data.pending.map((order) => (
            <PendingOrder key={order.orderId} order={order} market={data.markets.get(order.contractId)} />
          ))}
        </ul>
      )}
      {data === null && failed !== null ? (
        <Failure code={failed} again={again} />
      ) : data === null ? (
        <Skeletons count={3} kind="card" />
      ) : shown.length === 0 && (isPast || data.pending.length === 0) ? (
        <Empty icon="wallet" title={t(isPast ? 'noPast' : 'noPositions')} hint={isPast ? '' : t('noPositionsHint')}>
          <button type="button" class="button plain" onClick={() => go({ name: 'markets' })}>
            {t('browse')}
          </button>
        </Empty>
      ) : (
        <>
          {isPast && <ProfitLine positions={shown} settlements={data.settlements} />}
          {!isPast && held.length > 0 && <Holdings positions={held} markets={data.markets} />}
          <ul class="cards held">
            {shown.map((position) => (
              <PositionCard
                key={position.positionId}
                position={position}
                market={data.markets.get(position.contractId)}
                settlement={data.settlements.get(position.positionId)}
              />
            ))}
          </ul>
          {!isPast && held.length > 0 && <ProfitCourse ended={data.settlements.size} />}
        </>
      )}
    </>
  );
}

/** An order whose amounts are not final, with the reason. The customer cannot change it. */
function PendingOrder({ order, market }: { readonly order: Order; readonly market: HeldMarket | undefined }) {
  const { side, operatorMoney, executionRef } = order;
  const name = market === undefined ? t(side === 'YES' ? 'yes' : 'no') : sideLabel(market.outcome, side);
  return (
    <li class="card">
      <div>
        <p class="over">
          <b class={side === 'YES' ? 'tag yes-tag' : 'tag no-tag'}>{name}</b>
          <span>{t('pending')}</span>
          {operatorMoney !== null && <Money amount={operatorMoney.authorizationAmount} />}
        </p>
        <h2>{market === undefined ? t('unknownMarket') : market.event.title}</h2>
        {market !== undefined && market.event.kind !== 'binary' && <p class="quiet">{market.outcome.label}</p>}
      </div>
      <Busy text={waitingWords(order)} />
      <Reference of={executionRef} />
    </li>
  );
}

const ORDERS_DRAWN = 200;
/** Each event needs one call, and a session has a limited number of calls per minute. */
const MOST_EVENTS = 20;
const DAY_S = 86_400;
const FEWEST_POINTS = 3;

/**
 * The profit of all trades of the customer over time, open positions included, at the market's chance of each moment.
 * @param ended the number of positions that are over; the line is read again when one ends
 */
function ProfitCourse({ ended }: { readonly ended: number }) {
  const { locale } = presentation.value;
  const { state } = useLoading((signal) => readCourse(locale, signal), ['course', traded.value, ended]);
  const { data, failed } = state.value;
  const [first, last] = [data?.[0], data?.at(-1)];
  if (failed !== null || data === null || first === undefined || last === undefined) {
    return null;
  }
  return (
    <section class="total profit" aria-label={t('profitOverTime')}>
      <dl>
        <div>
          <dt>{t('profitOverTime')}</dt>
          <dd class="large">
            <Gain amount={last[1].toFixed(2)} />
          </dd>
        </div>
        <div>
          <dt>{t('firstEnd')}</dt>
          <dd>{day(first[0] * 1000)}</dd>
        </div>
      </dl>
      <ProfitPath points={data} />
      <p class="note">{t('profitAtChances')}</p>
    </section>
  );
}

/**
 * @returns an empty course if there are too many orders or events to read at once, because half a course would be wrong, and if
 *   fewer than three trades and settlements of less than a day would draw a step without a meaning
 */
async function readCourse(locale: string, signal: AbortSignal): Promise<CoursePoint[]> {
  const [{ orders, hasMore }, { settlements }] = await Promise.all([
    call<OrderPage>(`/orders?limit=${ORDERS_DRAWN}`, { signal }),
    call<LatestSettlements>('/settlements', { signal }),
  ]);
  const filled = orders.filter(({ filledQuantity }) => filledQuantity > 0);
  const oldest = filled.at(-1);
  const now = serviceNow() / 1000;
  const age = oldest === undefined ? 0 : now - Date.parse(oldest.createdAt) / 1000;
  if (hasMore || (age < DAY_S && filled.length + settlements.length < FEWEST_POINTS)) {
    return [];
  }
  const markets = await findMarkets(
    filled.map(({ contractId }) => contractId),
    locale,
    signal,
  );
  const contracts = Map.groupBy(markets.entries(), ([, { event }]) => event.id);
  if (contracts.size > MOST_EVENTS) {
    return [];
  }
  const range = rangeOf(age);
  const traded = new Set(filled.map(({ contractId }) => contractId));
  const chances = new Map<string, Chances>();
  await inTurns([...contracts], async ([eventId, outcomes]) => {
    const ids = outcomes.map(([id]) => id).filter((id) => traded.has(id));
    const { data } = await call<PriceHistory>(
      `/events/${encodeURIComponent(eventId)}/history?range=${range}&contracts=${ids.join(',')}&locale=${locale}`,
      { signal },
    );
    for (const { contractId, points } of data.series) {
      chances.set(contractId, points);
    }
  });
  return courseOf(filled, settlements, chances, now);
}

/** The range of the price history with the finest prices that reach back so far. */
function rangeOf(seconds: number): '1d' | '1w' | '1m' | 'all' {
  return seconds < DAY_S ? '1d' : seconds < 7 * DAY_S ? '1w' : seconds < 30 * DAY_S ? '1m' : 'all';
}

interface ProfitLineProps {
  /** Closed or settled. */
  readonly positions: readonly Position[];
  readonly settlements: ReadonlyMap<string, Settlement>;
}

/** The profit of past positions as a line, in the order of their ends. It adds booked amounts only and values nothing. */
function ProfitLine({ positions, settlements }: ProfitLineProps) {
  const ends = positions
    .map(({ positionId, updatedAt, operatorMoney }) => ({
      at: Date.parse(settlements.get(positionId)?.settledAt ?? updatedAt),
      minor: minorOf(settlements.get(positionId)?.lifetimeRealisedPnl ?? operatorMoney.realisedPnl),
    }))
    .sort((a, b) => a.at - b.at);
  const [first] = ends;
  if (first === undefined || ends.length < 2) {
    return null;
  }
  const totals = [0n];
  for (const { minor } of ends) {
    totals.push((totals.at(-1) ?? 0n) + minor);
  }
  return (
    <section class="total profit" aria-label={t('profitOfPast')}>
      <dl>
        <div>
          <dt>{t('profitOfPast')}</dt>
          <dd class="large">
            <Gain amount={decimal(totals.at(-1) ?? 0n)} />
          </dd>
        </div>
        <div>
          <dt>{t('firstEnd')}</dt>
          <dd>{day(first.at)}</dd>
        </div>
      </dl>
      {/* One step per position, because many may end at one moment. */}
      <ProfitPath points={totals.map((total, place) => [place, Number(total)] as const)} />
    </section>
  );
}
