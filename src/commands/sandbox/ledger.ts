/** `sandbox ledger`: movements of a simulated wallet, newest first. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { nextPage, pageFlags, readPages } from '../../cli/service/pages.ts';
import { columnsOf, elastic, listFlags, numeric } from '../../cli/terminal/table.ts';
import type { WalletPage } from '../../client/shapes.ts';

export default class Ledger extends PartnerCommand<typeof Ledger> {
  static override summary = 'List movements of a simulated wallet, newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> u-123',
    '<%= config.bin %> <%= command.id %> u-123 --all --output csv',
  ];
  static override args = customerArgument;
  static override flags = {
    ...customerAsFlag,
    ...listFlags,
    ...pageFlags(50),
  };

  async run(): Promise<WalletPage> {
    const user = readCustomer(this.args.user, this.flags.user);
    const { flags } = this;
    const page = await readPages<WalletPage, 'entries'>('entries', flags, (query) =>
      this.read(() => this.client.get('/api/v1/users/{id}/ledger', { path: { id: user }, query })),
    );
    await this.printList(
      page.entries,
      elastic(
        ['memo'],
        numeric(
          ['amount', 'balanceAfter'],
          [
            ...columnsOf<WalletPage['entries'][number]>('occurredAt', 'movementType', 'amount', 'balanceAfter', 'memo'),
            { name: 'referenceType', title: 'cause', value: (entry) => entry.referenceType },
            { name: 'referenceId', title: 'cause id', value: (entry) => entry.referenceId },
            { name: 'id', title: 'entry', value: (entry) => entry.id },
          ],
        ),
      ),
      'No movements.',
    );
    if (!this.jsonEnabled() && page.nextCursor !== null) {
      this.note(nextPage(this.flags, page.nextCursor));
    }
    return page;
  }
}
