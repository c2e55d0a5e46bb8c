/** `orders stuck`: live orders whose final report of the venue is missing. */
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listNamedStuck } from '../../cli/service/find-orders.ts';
import { columnsOf, elastic, listFlags, numeric } from '../../cli/terminal/table.ts';

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

export default class Stuck extends OperatorCommand<typeof Stuck> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List orders that may be at a venue and have an unknown outcome.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override flags = { ...listFlags };

  async run(): Promise<{ orders: StuckOrder[] }> {
    const { sql } = await this.openContext();
    const rows = await listNamedStuck(sql);
    const orders = rows.map((row) => ({
      orderId: row.orderId,
      executionRef: row.executionRef,
      operator: row.slug,
      externalUserId: row.externalUserId,
      market: row.market,
      status: row.status,
      attempt: row.attempt,
      lookups: row.lookups,
      sentAt: row.sentAt?.toISOString() ?? null,
    }));
    await this.printList(
      orders,
      elastic(
        ['externalUserId', 'market'],
        numeric(
          ['lookups'],
          columnsOf('executionRef', 'operator', 'externalUserId', 'market', 'status', 'attempt', 'lookups', 'sentAt'),
        ),
      ),
      'No order is stuck.',
    );
    return { orders };
  }
}
