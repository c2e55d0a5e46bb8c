/** `sandbox ledger`: movements of a simulated wallet, newest first. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { partnerList } from '../../cli/partner-list.ts';
import { columnsOf, elastic, numeric } from '../../cli/terminal/table.ts';
import type { WalletPage } from '../../client/shapes.ts';

type Movement = WalletPage['entries'][number];

const COLUMNS = elastic<Movement>(
  ['memo'],
  numeric(
    ['amount', 'balanceAfter'],
    [
      ...columnsOf<Movement>('occurredAt', 'movementType', 'amount', 'balanceAfter', 'memo'),
      { name: 'referenceType', title: 'cause', value: (entry) => entry.referenceType },
      { name: 'referenceId', title: 'cause id', value: (entry) => entry.referenceId },
      { name: 'id', title: 'entry', value: (entry) => entry.id },
    ],
  ),
);

export default partnerList({
  hidden: true,
  summary: 'List movements of a simulated wallet, newest first.',
  examples: ['u-123', 'u-123 --all --output csv'],
  args: customerArgument,
  flags: customerAsFlag,
  pageSize: 50,
  read: ({ client, args, flags, page }) =>
    client.get('/api/v1/users/{id}/ledger', { path: { id: readCustomer(args.user, flags.user) }, query: page }),
  items: 'entries',
  columns: () => COLUMNS,
  none: 'No movements.',
});
