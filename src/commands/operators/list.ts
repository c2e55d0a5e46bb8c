/** `operators list`: all tenants by slug. */
import { operatorList } from '../../cli/operator-command.ts';
import { feeText } from '../../cli/print/print-operator.ts';
import { columnsOf, ranked } from '../../cli/terminal/table.ts';
import type { Operator } from '../../operators/operator.ts';
import { listOperators } from '../../operators/operators.ts';

export default operatorList({
  withKey: 'whoami',
  summary: 'List operators.',
  examples: ['', '--output csv'],
  read: listOperators,
  items: 'operators',
  columns: ranked<Operator>(
    ['slug', 'mode', 'status', 'tradingPaused', 'platformFeeBps', 'name'],
    [
      ...columnsOf<Operator>('slug', 'operatorId', 'name', 'mode', 'status', 'tradingPaused'),
      {
        name: 'platformFeeBps',
        title: 'fee',
        align: 'right',
        value: (operator) => feeText(operator),
        raw: (operator) => operator.platformFeeBps,
      },
      ...columnsOf<Operator>('createdAt'),
    ],
  ),
  none: 'No operators yet: inlay operators create SLUG --mode sandbox',
});
