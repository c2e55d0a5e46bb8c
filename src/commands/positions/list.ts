/** `positions list`: positions of the operator's customers, newest first. */
import { Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { positionColumns } from '../../cli/print/print-trading.ts';
import { nextPage, pageFlags, readPages } from '../../cli/service/pages.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import type { PositionPage } from '../../client/shapes.ts';

export default class List extends PartnerCommand<typeof List> {
  static override summary = 'List positions, newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --user u-123 --status open',
    '<%= config.bin %> <%= command.id %> --all --output csv',
  ];
  static override flags = {
    ...listFlags,
    user: Flags.string({ helpValue: 'USER', summary: 'Your id of a customer.' }),
    status: Flags.option({
      options: ['open', 'closed', 'settled'] as const,
      summary: 'Only positions of this status.',
    })(),
    ...pageFlags(50),
  };

  async run(): Promise<PositionPage> {
    const { flags } = this;
    const page = await readPages<PositionPage, 'positions'>('positions', flags, (query) =>
      this.read(() =>
        this.client.get('/api/v1/positions', {
          query: { externalUserId: flags.user, status: flags.status, ...query },
        }),
      ),
    );
    const names = await this.marketNames(
      this.flags.output === 'table' ? page.positions.map(({ contractId }) => contractId) : [],
    );
    await this.printList(page.positions, positionColumns(names), 'No positions.');
    if (!this.jsonEnabled() && page.nextCursor !== null) {
      this.note(nextPage(this.flags, page.nextCursor));
    }
    return page;
  }
}
