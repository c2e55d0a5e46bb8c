/** The open and past positions of the customer, with what they are worth at the present bids; an exit brings what a quote offers. */
import { useEffect, useRef } from 'preact/hooks';
import type { Order, OrderPage } from '../../wire/order.ts';
import type { Position, PositionPage } from '../../wire/position.ts';
import type { LatestSettlements, Settlement } from '../../wire/reconciliation.ts';
import { useLoading } from '../loading.ts';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { go, type Route } from '../route.ts';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { traded } from '../trading/deal.ts';
import { Activity } from './activity.tsx';
import { findMarkets, type HeldMarket } from './held-markets.ts';
import { Holdings } from './holdings.tsx';
import { PendingOrder } from './pending-order.tsx';
import { isSelling, PositionCard } from './position-card.tsx';
import { ProfitCourse } from './profit-course.tsx';
import { ProfitLine } from './profit-line.tsx';

const SHOWN = 200;
const ORDERS_LOOKED_AT = 20;
/** Settlements happen without an action of the customer. */
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
        call<PositionPage>(`/positions?limit=${SHOWN}`, { signal }),
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
          {!isPast && held.length > 0 && (
            <div class="totals">
              <Holdings positions={held} markets={data.markets} />
              <ProfitCourse ended={data.settlements.size} />
            </div>
          )}
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
        </>
      )}
    </>
  );
}
