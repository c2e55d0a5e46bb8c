/** What the fills and the end of an execution say to the feed and to webhooks, the same for buys and sells. Pure. */
import type { Fact } from '../../core/fact.ts';
import { type Ending, type ExecutedFill, type Execution, subtract, type Totals } from '../execution/execution.ts';
import { rejectReason } from '../execution/public-reason.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import { completedEvent, type FillMoney, filledEvent, rejectedEvent } from './order-events.ts';
import { fillLanded, type OrderState } from './order-items.ts';
import { stateOf } from './order-state.ts';

export const NOTHING: FillMoney = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
const PARTLY = { status: 'partially_filled', transmissionState: 'unknown' } as const;

/** The order to date: with these fills and their cumulative money, also while a read still shows 0.00 (rulings 8). */
export function stateAfter(
  order: OrderForUpdate,
  fills: readonly ExecutedFill[],
  totals: Omit<Totals, 'overrunMinor'>,
  { status, transmissionState }: Pick<Ending, 'status' | 'transmissionState'>,
): OrderState {
  return stateOf(order, {
    status,
    transmission_state: transmissionState,
    filled_quantity: fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n),
    price_weight: fills.reduce((sum, fill) => sum + fill.priceMicros * fill.quantityMicros, 0n),
    trade_minor: totals.tradeMinor,
    platform_fee_minor: totals.platformFeeMinor,
    venue_fee_minor: totals.venueFeeMinor,
    venue_fee_known: totals.venueFeeKnown,
  });
}

/** Item and event of each fill that is not recorded yet. */
export function landedFacts(
  order: OrderForUpdate,
  { fills }: Execution,
  ending: Ending,
  totalsAfter: (count: number) => Totals,
): Fact[] {
  return fills.flatMap((fill, index) => {
    if (fill.recorded) {
      return [];
    }
    const last = index === fills.length - 1;
    const after = totalsAfter(index + 1);
    const at = stateAfter(order, fills.slice(0, index + 1), after, last ? ending : PARTLY);
    const landed = {
      fillId: fill.fillId,
      fillNo: index + 1,
      quantityMicros: fill.quantityMicros,
      priceMicros: fill.priceMicros,
    };
    const money = subtract(after, index === 0 ? NOTHING : totalsAfter(index));
    return [fillLanded(at, landed), filledEvent(at, landed, money, at.status !== 'filled')];
  });
}

/** The event that ends the order; none while it goes on, nor where its one answer filled it whole, which the fill has said. */
export function endingEvent(
  order: OrderForUpdate,
  { fills }: Execution,
  ending: Ending,
  state: OrderState,
  reason: string | null,
): Fact | null {
  if (ending.status === 'rejected') {
    return rejectedEvent(state, rejectReason(reason, state.execution_ref));
  }
  const firstAnswer = order.status === 'submitted' && fills.every((fill) => !fill.recorded);
  if (!ending.resolved || (firstAnswer && ending.matched)) {
    return null;
  }
  const kind = fills.length === 0 ? 'closed_unfilled' : ending.matched ? 'complete' : 'closed_partial';
  return completedEvent(state, kind, fills.length);
}
