/** `orders list`: orders of the operator, newest first. */
import { Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderColumns } from '../../cli/print/print-trading.ts';
import { nextPage, pageFlags, readPages } from '../../cli/service/pages.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import type { Order, OrderPage } from '../../client/shapes.ts';

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

export default class List extends PartnerCommand<typeof List> {
  static override summary = 'List orders, newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --user u-123 --status filled',
    '<%= config.bin %> <%= command.id %> --user u-123 --client-order-id bet-1 --json',
    '<%= config.bin %> <%= command.id %> --since 2026-11-01 --all --output csv',
  ];
  static override flags = {
    ...listFlags,
    user: Flags.string({ helpValue: 'USER', summary: 'Your id of a customer.' }),
    'client-order-id': Flags.string({
      helpValue: 'ID',
      summary: 'The order with this key; needs --user.',
      dependsOn: ['user'],
    }),
    status: Flags.option({ options: STATUSES, helpValue: 'STATUS', summary: 'Only orders of this status.' })(),
    since: momentFlag({ summary: 'ISO-8601; earliest, inclusive.' }),
    until: momentFlag({ summary: 'ISO-8601; latest, inclusive.' }),
    ...pageFlags(50),
  };

  async run(): Promise<OrderPage> {
    const { flags } = this;
    const page = await readPages<OrderPage, 'orders'>('orders', flags, (query) =>
      this.read(() =>
        this.client.get('/api/v1/orders', {
          query: {
            externalUserId: flags.user,
            clientOrderId: flags['client-order-id'],
            status: flags.status,
            since: flags.since,
            until: flags.until,
            ...query,
          },
        }),
      ),
    );
    const names = await this.marketNames(
      this.flags.output === 'table' ? page.orders.map(({ contractId }) => contractId) : [],
    );
    await this.printList(page.orders, orderColumns(names), 'No orders.');
    if (!this.jsonEnabled() && page.nextCursor !== null) {
      this.note(nextPage(this.flags, page.nextCursor));
    }
    return page;
  }
}
