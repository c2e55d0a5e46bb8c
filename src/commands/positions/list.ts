/** `positions list`: positions of the operator's customers, newest first. */
import { Flags } from '@oclif/core';
import { ofCustomerFlag } from '../../cli/flags.ts';
import { partnerList } from '../../cli/partner-list.ts';
import { positionColumns } from '../../cli/print/print-trading.ts';

export default partnerList({
  summary: 'List positions, newest first.',
  examples: ['--user u-123 --status open', '--all --output csv'],
  flags: {
    ...ofCustomerFlag,
    status: Flags.option({
      options: ['open', 'closed', 'settled'] as const,
      summary: 'Only positions with this status.',
    })(),
  },
  pageSize: 50,
  read: ({ client, flags: { user, status }, page }) =>
    client.get('/api/v1/positions', { query: { externalUserId: user, status, ...page } }),
  items: 'positions',
  columns: positionColumns,
  none: 'No positions.',
});
