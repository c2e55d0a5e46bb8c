/** `operators list`: all tenants by slug. */
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { feeText } from '../../cli/print/print-operator.ts';
import { columnsOf, listFlags, ranked } from '../../cli/terminal/table.ts';
import type { Operator } from '../../operators/operator.ts';
import { listOperators } from '../../operators/operators.ts';

export default class List extends OperatorCommand<typeof List> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List operators.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --output csv',
  ];
  static override flags = listFlags;

  async run(): Promise<{ operators: Operator[]; count: number }> {
    const { sql } = await this.openContext();
    const operators = await listOperators(sql);
    await this.printList(
      operators,
      ranked(
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
      'No operators yet: inlay operators create SLUG --mode sandbox',
    );
    return { operators, count: operators.length };
  }
}
