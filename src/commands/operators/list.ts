/** `operators list`: all tenants by slug. */
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { columnsOf, listFlags, ranked } from '../../cli/terminal/output.ts';
import type { Operator } from '../../operators/operator.ts';
import { listOperators } from '../../operators/operators.ts';

/** `cell` is present if there is more than one cell. */
type ListedOperator = Operator & { readonly cell?: string };

export default class List extends OperatorCommand<typeof List> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List operators.';
  static override description = 'With INLAY_CELLS_FILE the operators of all cells, and the cell of each.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --output csv',
  ];
  static override flags = listFlags;

  async run(): Promise<{ operators: ListedOperator[]; count: number }> {
    const found = await this.inEachCell(listOperators);
    const operators: ListedOperator[] = found.flatMap(({ cell, answer }) =>
      cell === null ? answer : answer.map((operator) => ({ cell, ...operator })),
    );
    await this.printList(
      operators,
      ranked(
        ['slug', 'mode', 'status', 'tradingPaused', 'platformFeeBps', 'name'],
        operators.some(({ cell }) => cell !== undefined) ? columnsOf('cell') : [],
        columnsOf('slug', 'operatorId', 'name', 'mode', 'status', 'tradingPaused', 'platformFeeBps', 'createdAt'),
      ),
      'No operators yet: inlay operators create SLUG --mode sandbox',
    );
    return { operators, count: operators.length };
  }
}
