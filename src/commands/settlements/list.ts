/** `settlements list`: the settlements register, over the API. */
import { Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { settlementColumns } from '../../cli/print/print-trading.ts';
import { nextPage, pageFlags, readPages } from '../../cli/service/pages.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import type { SettlementPage } from '../../client/shapes.ts';

const LARGEST_PAGE = 500;

export default class List extends PartnerCommand<typeof List> {
  static override summary = 'List settlements, oldest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --user u-123',
    '<%= config.bin %> <%= command.id %> --outcome won --settled-from 2026-11-01 --all --output csv',
  ];
  static override flags = {
    ...listFlags,
    user: Flags.string({ helpValue: 'USER', summary: 'Your id of a customer.' }),
    outcome: Flags.option({ options: ['won', 'lost', 'void'] as const, summary: 'Only these.' })(),
    'settled-from': momentFlag({ summary: 'ISO-8601; earliest, inclusive.' }),
    'settled-to': momentFlag({ summary: 'ISO-8601; latest, inclusive.' }),
    ...pageFlags(100),
  };

  async run(): Promise<SettlementPage> {
    const { user, outcome } = this.flags;
    const page = await readPages<SettlementPage, 'settlements'>(
      'settlements',
      this.flags,
      (query) =>
        this.read(() =>
          this.client.get('/api/v1/settlements', {
            query: {
              externalUserId: user,
              outcome,
              settledFrom: this.flags['settled-from'],
              settledTo: this.flags['settled-to'],
              ...query,
            },
          }),
        ),
      LARGEST_PAGE,
    );
    const names = await this.marketNames(
      this.flags.output === 'table' ? page.settlements.map(({ contractId }) => contractId) : [],
    );
    await this.printList(page.settlements, settlementColumns(names), 'No settlements.');
    if (!this.jsonEnabled() && page.hasMore) {
      this.note(nextPage(this.flags, page.nextCursor));
    }
    return page;
  }
}
