/** `periods list`: the closed accounting periods of one operator or of all. */
import { oneOperatorFlag } from '../../cli/flags.ts';
import { operatorList } from '../../cli/operator-command.ts';
import { fromText, renderPeriod, type ShownPeriod } from '../../cli/print/print-books.ts';
import type { Column } from '../../cli/terminal/table.ts';
import { listPeriods } from '../../ledger/periods.ts';
import { getOperator } from '../../operators/operators.ts';

const COLUMNS: readonly Column<ShownPeriod>[] = [
  { name: 'slug', title: 'operator', value: (row) => row.slug },
  { name: 'period', value: (row) => row.period, align: 'right' },
  { name: 'from', value: (row) => fromText(row.from), raw: (row) => row.from },
  { name: 'to', value: (row) => row.to },
  { name: 'throughSequence', title: 'through item', value: (row) => row.throughSequence, align: 'right' },
  { name: 'closedBy', value: (row) => row.closedBy },
  { name: 'closedAt', value: (row) => row.closedAt },
  { name: 'operatorId', value: (row) => row.operatorId, csvOnly: true },
];

export default operatorList({
  hidden: true,
  withKey: 'periods statement --from T --to T --out FILE',
  summary: 'List the closed accounting periods, oldest first.',
  examples: ['--operator demo'],
  flags: oneOperatorFlag,
  read: async (sql, { operator }) => {
    const operatorId = operator === undefined ? null : (await getOperator(sql, operator)).operatorId;
    return (await listPeriods(sql, operatorId)).map(renderPeriod);
  },
  items: 'periods',
  columns: COLUMNS,
  none: 'No period was closed.',
});
