/**
 * The orders of the customer, newest first: all, or those of one position, each with the reference that support requests. An order without
 * a fill shows why.
 */
import { useSignal } from '@preact/signals';
import type { Order, OrderPage } from '../../wire/order.ts';
import { dayAndTime, price, quantity } from '../format.ts';
import { findMarkets, type HeldMarket } from '../market/find-markets.ts';
import { Money, Reference } from '../parts/figures.tsx';
import { Empty, endText, Failure, Skeletons } from '../parts/states.tsx';
import { go, type Pick } from '../route.ts';
import { call, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { mayBuy, maySell, traded } from '../trading/deal.ts';
import { startDraft } from '../trading/draft.ts';
import { shownPrice, sideLabel } from '../trading/price.ts';

const PAGE = 30;

interface Ordered {
  readonly orders: readonly Order[];
  readonly hasMore: boolean;
  readonly markets: ReadonlyMap<string, HeldMarket>;
}

export function Activity({ of }: { readonly of: Pick | null }) {
  const pages = useSignal(1);
  const { locale } = presentation.value;
  const query = new URLSearchParams({ limit: String(PAGE), ...of }).toString();
  const { state, again } = useLoading(
    (signal) => readOrders(query, pages.value, locale, signal),
    [query, pages.value, locale, traded.value],
  );
  const { data, failed, busy } = state.value;
  if (data === null) {
    return failed === null ? <Skeletons count={3} kind="card" /> : <Failure code={failed} again={again} />;
  }
  const { orders, hasMore, markets } = data;
  return (
    <>
      {of !== null && (
        <p class="of-position">
          {markets.get(of.contractId)?.event.title}{' '}
          <button type="button" class="link" onClick={() => go({ name: 'activity', of: null })}>
            {t('allOrders')}
          </button>
        </p>
      )}
      {orders.length === 0 ? (
        <Empty icon="wallet" title={t('noOrders')} hint={t('noPositionsHint')}>
          <button type="button" class="button plain" onClick={() => go({ name: 'markets' })}>
            {t('browse')}
          </button>
        </Empty>
      ) : (
        <ul class="cards held" aria-busy={busy}>
          {orders.map((order) => (
            <OrderCard key={order.orderId} order={order} market={markets.get(order.contractId)} />
          ))}
        </ul>
      )}
      {hasMore && (
        <button
          type="button"
          class="button plain wide"
          disabled={busy}
          onClick={() => {
            pages.value += 1;
          }}
        >
          {t(busy ? 'loading' : 'more')}
        </button>
      )}
    </>
  );
}

async function readOrders(query: string, pages: number, locale: string, signal: AbortSignal): Promise<Ordered> {
  const orders: Order[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || (page < pages && cursor !== null); page += 1) {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const read: OrderPage = await call<OrderPage>(`/orders?${query}${after}`, { signal });
    orders.push(...read.orders);
    cursor = read.nextCursor;
  }
  const ids = orders.map(({ contractId }) => contractId);
  return { orders, hasMore: cursor !== null, markets: await findMarkets(ids, locale, signal) };
}

function OrderCard({ order, market }: { readonly order: Order; readonly market: HeldMarket | undefined }) {
  const { side, action, operatorMoney } = order;
  const isUnfilled = order.settlementState === 'settled' && order.filledQuantity === 0;
  return (
    <li class="card">
      <div class="card-head">
        <div>
          <p class="over">
            <b class={side === 'YES' ? 'tag yes-tag' : 'tag no-tag'}>
              {market === undefined ? t(side === 'YES' ? 'yes' : 'no') : sideLabel(market.outcome, side)}
            </b>
            <span>{t(`action_${action}`)}</span>
            {isUnfilled && operatorMoney !== null && <Money amount={operatorMoney.authorizationAmount} />}
            <time dateTime={order.createdAt}>{dayAndTime(order.createdAt)}</time>
          </p>
          <h2>{market === undefined ? t('unknownMarket') : market.event.title}</h2>
          {market !== undefined && market.event.kind !== 'binary' && <p class="quiet">{market.outcome.label}</p>}
        </div>
        <b class="verdict">{stateText(order)}</b>
      </div>
      {isUnfilled ? <p class="why">{endText(order)}</p> : <Figures order={order} />}
      <Reference of={order.executionRef} />
      {isUnfilled && market !== undefined && <TryAgain order={order} market={market} />}
    </li>
  );
}

/** The way back to the ticket with the same stake, or to the positions for a sale. */
function TryAgain({ order, market: { event, outcome } }: { readonly order: Order; readonly market: HeldMarket }) {
  const { contractId, side, action, operatorMoney } = order;
  if (!shownPrice(outcome).open || !(action === 'buy' ? mayBuy : maySell).value) {
    return null;
  }
  const tryAgain = () => {
    if (action === 'sell') {
      go({ name: 'positions', list: 'open' });
    } else {
      startDraft(event.id, String(Number(operatorMoney?.authorizationAmount)));
      go({ name: 'event', eventId: event.id, pick: { contractId, side } });
    }
  };
  return (
    <button type="button" class="button plain" onClick={tryAgain}>
      {t(action === 'sell' ? 'viewPositions' : 'newPrice')}
    </button>
  );
}

function Figures({ order }: { readonly order: Order }) {
  const { action, averagePrice, filledQuantity, operatorMoney, operatorExitMoney } = order;
  const isFinal = order.settlementState === 'settled';
  const amount = isFinal ? operatorMoney?.actualDebit : operatorMoney?.authorizationAmount;
  return (
    <dl class="figures of-order">
      <div>
        <dt>{t('contracts')}</dt>
        <dd>{quantity(filledQuantity)}</dd>
      </div>
      <div>
        <dt>{t('price')}</dt>
        <dd>{averagePrice === null ? '–' : price(averagePrice * 100)}</dd>
      </div>
      <div>
        <dt>{t(action === 'buy' ? 'staked' : 'received')}</dt>
        <dd>
          <Money amount={amount ?? operatorExitMoney?.sellProceeds ?? '0.00'} />
        </dd>
      </div>
    </dl>
  );
}

function stateText({ settlementState, status, filledQuantity, operatorMoney }: Order): string {
  if (settlementState === 'pending') {
    return t('pending');
  }
  if (filledQuantity === 0) {
    return t(status === 'rejected' ? 'order_rejected' : 'order_cancelled');
  }
  const isPart = status !== 'filled' || Number(operatorMoney?.releaseAmount ?? 0) > 0;
  return t(isPart ? 'order_part' : 'order_filled');
}
