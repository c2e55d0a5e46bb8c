/** `settlements list`: the settlements register, over the API. */
import { Flags } from '@oclif/core';
import { ofCustomerFlag } from '../../cli/flags.ts';
import { partnerList } from '../../cli/partner-list.ts';
import { settlementColumns } from '../../cli/print/print-trading.ts';
import { momentFlag } from '../../cli/times.ts';

export default partnerList({
  summary: 'List settlements, oldest first.',
  examples: ['--user u-123', '--outcome won --settled-from 2026-11-01 --all --output csv'],
  flags: {
    ...ofCustomerFlag,
    outcome: Flags.option({
      options: ['won', 'lost', 'void'] as const,
      summary: 'Only settlements with this outcome.',
    })(),
    'settled-from': momentFlag({ summary: 'Earliest time of settlement, inclusive; ISO-8601.' }),
    'settled-to': momentFlag({ summary: 'Latest time of settlement, inclusive; ISO-8601.' }),
  },
  pageSize: 100,
  largestPage: 500,
  read: ({ client, flags: { user, outcome, 'settled-from': settledFrom, 'settled-to': settledTo }, page }) =>
    client.get('/api/v1/settlements', { query: { externalUserId: user, outcome, settledFrom, settledTo, ...page } }),
  items: 'settlements',
  columns: settlementColumns,
  none: 'No settlements.',
});
