/** `orders stuck`: live orders whose final report of the venue is missing. */
import { operatorList } from '../../cli/operator-command.ts';
import { listNamedStuck } from '../../cli/service/find-orders.ts';
import { columnsOf, elastic, numeric } from '../../cli/terminal/table.ts';

interface StuckOrder {
  readonly orderId: string;
  readonly executionRef: string;
  readonly operator: string;
  readonly externalUserId: string;
  readonly market: string | null;
  readonly status: string;
  readonly attempt: string | null;
  readonly lookups: number | null;
  readonly sentAt: string | null;
}

export default operatorList({
  hidden: true,
  withKey: 'orders list',
  summary: 'List orders that may be at a venue and have an unknown outcome.',
  examples: ['', '--json'],
  read: async (sql) =>
    (await listNamedStuck(sql)).map(
      (row): StuckOrder => ({
        orderId: row.orderId,
        executionRef: row.executionRef,
        operator: row.slug,
        externalUserId: row.externalUserId,
        market: row.market,
        status: row.status,
        attempt: row.attempt,
        lookups: row.lookups,
        sentAt: row.sentAt?.toISOString() ?? null,
      }),
    ),
  items: 'orders',
  counted: false,
  columns: elastic<StuckOrder>(
    ['externalUserId', 'market'],
    numeric(
      ['lookups'],
      columnsOf('executionRef', 'operator', 'externalUserId', 'market', 'status', 'attempt', 'lookups', 'sentAt'),
    ),
  ),
  none: 'No order is stuck.',
});
