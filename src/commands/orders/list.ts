/** `orders list`: orders of the operator, newest first. */
import { Flags } from '@oclif/core';
import { ofCustomerFlag } from '../../cli/flags.ts';
import { partnerList } from '../../cli/partner-list.ts';
import { orderColumns } from '../../cli/print/print-trading.ts';
import { momentFlag } from '../../cli/times.ts';
import type { Order } from '../../client/shapes.ts';

const STATUSES = [
  'reserve_pending',
  'pending_venue_execution',
  'submitted',
  'partially_filled',
  'filled',
  'rejected',
  'cancelled',
  'pending',
] as const satisfies readonly Order['status'][];

export default partnerList({
  summary: 'List orders, newest first.',
  examples: [
    '--user u-123 --status filled',
    '--user u-123 --client-order-id bet-1 --json',
    '--since 2026-11-01 --all --output csv',
  ],
  flags: {
    ...ofCustomerFlag,
    'client-order-id': Flags.string({
      helpValue: 'ID',
      summary: 'Only the order with this id of yours; needs --user.',
      dependsOn: ['user'],
    }),
    status: Flags.option({ options: STATUSES, helpValue: 'STATUS', summary: 'Only orders with this status.' })(),
    since: momentFlag({ summary: 'Earliest time of the order, inclusive; ISO-8601.' }),
    until: momentFlag({ summary: 'Latest time of the order, inclusive; ISO-8601.' }),
  },
  pageSize: 50,
  read: ({ client, flags: { user, 'client-order-id': clientOrderId, status, since, until }, page }) =>
    client.get('/api/v1/orders', { query: { externalUserId: user, clientOrderId, status, since, until, ...page } }),
  items: 'orders',
  columns: orderColumns,
  none: 'No orders.',
});
