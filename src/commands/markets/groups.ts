/** Lists contracts that several venues list, and whether a person verified that they are the same. */
import { operatorList } from '../../cli/operator-command.ts';
import type { Column } from '../../cli/terminal/table.ts';
import { listRoutingGroups, type RoutingGroup } from '../../markets/matching.ts';

const COLUMNS: readonly Column<RoutingGroup>[] = [
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
];

export default operatorList({
  hidden: true,
  summary: 'List the contracts with listings at several venues.',
  examples: [''],
  read: listRoutingGroups,
  items: 'groups',
  counted: false,
  columns: COLUMNS,
  none: 'No contract is listed at several venues.',
});
