/** Lists contracts that several venues list, and whether a person verified that they are the same. */

import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { listRoutingGroups, type RoutingGroup } from '../../markets/matching.ts';

export default class MarketsGroups extends OperatorCommand<typeof MarketsGroups> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the contracts with listings at several venues.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = { ...listFlags };

  override async run(): Promise<{ groups: readonly RoutingGroup[] }> {
    const { sql } = await this.openContext();
    const groups = await listRoutingGroups(sql);
    await this.printList(
      groups,
      [
        { name: 'groupKey', title: 'group', value: (group) => group.groupKey },
        { name: 'contractId', value: (group) => group.contractId },
        { name: 'event', value: (group) => group.event },
        { name: 'label', value: (group) => group.label },
        { name: 'venues', value: (group) => group.venues.join(', ') },
        { name: 'verified', value: (group) => group.verified },
        { name: 'endedBecause', value: (group) => group.endedBecause },
        { name: 'endedAt', csvOnly: true, value: (group) => group.endedAt },
        { name: 'contracts', csvOnly: true, value: (group) => group.contracts.join(' ') },
        { name: 'note', csvOnly: true, value: (group) => group.note },
        { name: 'verifiedBy', csvOnly: true, value: (group) => group.verifiedBy },
        { name: 'verifiedAt', csvOnly: true, value: (group) => group.verifiedAt },
      ],
      'No contract is listed at several venues.',
    );
    return { groups };
  }
}
