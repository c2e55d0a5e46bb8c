/** Exports of what still moves: orders and positions, as the API reads them. */
import { column } from './export-column.ts';
import { type ExportSpec, openedPositions, recordedOrders } from './export-spec.ts';

/** What a read of the order shows: of a buy nothing is booked while it is unresolved (contract 11.11), of a sell what is known (contract 13.12). */
const unresolved = 'is_open_order(x.status, x.transmission_state)';
const ofBuy = (sql: string) => `case when x.action = 'buy' then ${sql} end`;
const booked = (amount: string) => ofBuy(`case when ${unresolved} then 0 else x.${amount} end`);
const ofSell = (sql: string) => `case when x.action = 'sell' then ${sql} end`;
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
    column('rejectReason', 'text', 'x.reject_reason'),
    column('simulated', 'boolean', 'x.simulated'),
    column('createdAt', 'time', 'x.created_at'),
    column('settlementState', 'word', `case when ${unresolved} then 'pending' else 'settled' end`),
    column('transmissionState', 'word', 'x.transmission_state'),
    column('operatorMoney.currency', 'word', ofBuy("'USD'")),
    column('operatorMoney.authorizationAmount', 'cents', ofBuy('x.authorization_minor')),
    column('operatorMoney.actualDebit', 'cents', booked('debit_minor')),
    column(
      'operatorMoney.releaseAmount',
      'cents',
      ofBuy(`case when ${unresolved} then x.authorization_minor else x.release_minor end`),
    ),
    column('operatorMoney.tradeAmount', 'cents', booked('trade_minor')),
    column('operatorMoney.platformFee', 'cents', booked('platform_fee_minor')),
    column('operatorMoney.venueFee', 'cents', booked('venue_fee_minor')),
    column('operatorMoney.venueFeeKnown', 'boolean', ofBuy(`x.venue_fee_known and not ${unresolved}`)),
    column('operatorExitMoney.currency', 'word', ofSell("'USD'")),
    column('operatorExitMoney.sellProceeds', 'cents', ofSell('x.proceeds_minor')),
    column('operatorExitMoney.platformFee', 'cents', ofSell('x.platform_fee_minor')),
    column('operatorExitMoney.venueFee', 'cents', ofSell('x.venue_fee_minor')),
    column('operatorExitMoney.venueFeeKnown', 'boolean', ofSell('x.venue_fee_known')),
    column(
      'cancelReason',
      'text',
      "case when x.status = 'cancelled' then coalesce(x.cancel_reason, 'closed_unfilled') end",
    ),
    column('eventTitle', 'text', 'm.title'),
    column('label', 'text', 'm.label'),
  ],
  // `offset 0` keeps the names a look-up for each row, which leaves the rows in their order without a sort
  rows: (window, skip) =>
    `(select * from ${recordedOrders(window)} order by order_id offset ${skip}) x
     left join lateral (select v.title, c.label from contracts c join events v on v.event_id = c.event_id
       where c.contract_id = x.contract_id offset 0) m on true order by x.order_id`,
  totals: {
    authorizationAmount: "sum(authorization_minor) filter (where action = 'buy')",
    actualDebit: "sum(debit_minor) filter (where action = 'buy' and not is_open_order(status, transmission_state))",
    sellProceeds: "sum(proceeds_minor) filter (where action = 'sell')",
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
