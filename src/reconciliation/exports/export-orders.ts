/** Exports of what still moves: orders and positions, as the API reads them. */
import { column } from './export-column.ts';
import { type ExportSpec, openedPositions, recordedOrders } from './export-spec.ts';

/** What a read of the order shows: nothing is booked while it is unresolved (rulings 11). */
const unresolved = 'is_open_order(x.status, x.transmission_state)';
const booked = (amount: string) => `case when ${unresolved} then 0 else x.${amount} end`;
const ofBuy = (sql: string) => `case when x.action = 'buy' then ${sql} end`;
const ofSell = (sql: string) => `case when x.action = 'sell' then ${sql} end`;
const venueFeeKnown = `x.venue_fee_known and not ${unresolved}`;
export const orders: ExportSpec = {
  appendOnly: false,
  columns: [
    column('orderId', 'word', 'x.order_id'),
    column('clientOrderId', 'text', 'x.client_order_id'),
    column('executionRef', 'word', 'x.execution_ref'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('status', 'word', 'x.status'),
    column('contractId', 'word', 'x.contract_id'),
    column('side', 'word', 'x.side'),
    column('action', 'word', 'x.action'),
    column('filledQuantity', 'micros', 'x.filled_quantity'),
    column(
      'averagePrice',
      'micros',
      'case when x.filled_quantity > 0 then round(x.price_weight / x.filled_quantity) end',
    ),
    column('platformFeeBps', 'integer', 'x.fee_bps'),
    column('rejectReason', 'text', "coalesce(x.reject_reason, nullif(x.cancel_reason, 'operator_request'))"),
    column('simulated', 'boolean', 'x.simulated'),
    column('createdAt', 'time', 'x.created_at'),
    column('settlementState', 'word', `case when ${unresolved} then 'pending' else 'settled' end`),
    column('transmissionState', 'word', 'x.transmission_state'),
    column('operatorMoney.currency', 'word', ofBuy("'USD'")),
    column('operatorMoney.authorizationAmount', 'cents', ofBuy('x.authorization_minor')),
    column('operatorMoney.actualDebit', 'cents', ofBuy(booked('debit_minor'))),
    column(
      'operatorMoney.releaseAmount',
      'cents',
      ofBuy(`case when ${unresolved} then x.authorization_minor else x.release_minor end`),
    ),
    column('operatorMoney.tradeAmount', 'cents', ofBuy(booked('trade_minor'))),
    column('operatorMoney.platformFee', 'cents', ofBuy(booked('platform_fee_minor'))),
    column('operatorMoney.venueFee', 'cents', ofBuy(booked('venue_fee_minor'))),
    column('operatorMoney.venueFeeKnown', 'boolean', ofBuy(venueFeeKnown)),
    column('operatorExitMoney.currency', 'word', ofSell("'USD'")),
    column('operatorExitMoney.sellProceeds', 'cents', ofSell(booked('proceeds_minor'))),
    column('operatorExitMoney.platformFee', 'cents', ofSell(booked('platform_fee_minor'))),
    column('operatorExitMoney.venueFee', 'cents', ofSell(booked('venue_fee_minor'))),
    column('operatorExitMoney.venueFeeKnown', 'boolean', ofSell(venueFeeKnown)),
  ],
  rows: (window, skip) => `(select * from ${recordedOrders(window)} order by order_id offset ${skip}) x`,
  totals: {
    authorizationAmount: "sum(authorization_minor) filter (where action = 'buy')",
    actualDebit: "sum(debit_minor) filter (where action = 'buy' and not is_open_order(status, transmission_state))",
    sellProceeds:
      "sum(proceeds_minor) filter (where action = 'sell' and not is_open_order(status, transmission_state))",
  },
  totalled: recordedOrders,
};

export const positions: ExportSpec = {
  appendOnly: false,
  columns: [
    column('positionId', 'word', 'x.position_id'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('contractId', 'word', 'x.contract_id'),
    column('side', 'word', 'x.side'),
    column('status', 'word', 'x.status'),
    column('quantity', 'micros', 'x.quantity'),
    column('averagePrice', 'micros', 'x.average_price_micros'),
    column('openedAt', 'time', 'x.opened_at'),
    column('updatedAt', 'time', 'x.updated_at'),
    column('operatorMoney.currency', 'word', "'USD'"),
    column('operatorMoney.costBasis', 'cents', 'x.cost_basis_minor'),
    column('operatorMoney.realisedPnl', 'cents', 'x.realised_pnl_minor'),
  ],
  rows: (window, skip) => `(select * from ${openedPositions(window)} order by position_id offset ${skip}) x`,
  totals: { costBasis: 'sum(cost_basis_minor)', realisedPnl: 'sum(realised_pnl_minor)' },
  totalled: openedPositions,
};
