/** The profit of everything the customer traded over time, open positions included, at the market's chance of each moment. */

import type { PriceHistory } from '../../wire/catalogue.ts';
import type { OrderPage } from '../../wire/order.ts';
import type { LatestSettlements } from '../../wire/reconciliation.ts';
import { day } from '../format.ts';
import { useLoading } from '../loading.ts';
import { ProfitPath } from '../parts/profit-path.tsx';
import { call } from '../service.ts';
import { serviceNow } from '../service-clock.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { traded } from '../trading/deal.ts';
import { type Chances, type CoursePoint, courseOf } from '../trading/worth-course.ts';
import { findMarkets, inTurns } from './held-markets.ts';

const ORDERS = 200;
/** One call each, of the calls that a session may make in a minute. */
const MOST_EVENTS = 20;
const DAY_S = 86_400;

/** @param ended how many positions are over: the line is read again when one ends */
export function ProfitCourse({ ended }: { readonly ended: number }) {
  const { locale } = presentation.value;
  const { state } = useLoading((signal) => readCourse(locale, signal), ['course', traded.value, ended]);
  const { data, failed } = state.value;
  const [first] = data ?? [];
  if (failed !== null || (data !== null && first === undefined)) {
    return null;
  }
  return (
    <section class="total profit" aria-label={t('profitOverTime')}>
      <dl>
        <div>
          <dt>{t('profitOverTime')}</dt>
          <dd>{first === undefined ? ' ' : `${t('firstEnd')} ${day(first[0] * 1000)}`}</dd>
        </div>
      </dl>
      <ProfitPath points={data ?? []} />
      <p class="note">{t('profitAtChances')}</p>
    </section>
  );
}

/** @returns nothing where the orders or events are too many to read at once: half a line would be a wrong one */
async function readCourse(locale: string, signal: AbortSignal): Promise<CoursePoint[]> {
  const [{ orders, hasMore }, { settlements }] = await Promise.all([
    call<OrderPage>(`/orders?limit=${ORDERS}`, { signal }),
    call<LatestSettlements>('/settlements', { signal }),
  ]);
  const filled = orders.filter(({ filledQuantity }) => filledQuantity > 0);
  const oldest = filled.at(-1);
  const markets = await findMarkets(
    filled.map(({ contractId }) => contractId),
    locale,
    signal,
  );
  const contracts = Map.groupBy(markets.entries(), ([, { event }]) => event.id);
  if (hasMore || oldest === undefined || contracts.size > MOST_EVENTS) {
    return [];
  }
  const now = serviceNow() / 1000;
  const range = rangeOf(now - Date.parse(oldest.createdAt) / 1000);
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

/** The finest prices that reach back so far. */
function rangeOf(seconds: number): '1d' | '1w' | '1m' | 'all' {
  return seconds < DAY_S ? '1d' : seconds < 7 * DAY_S ? '1w' : seconds < 30 * DAY_S ? '1m' : 'all';
}
