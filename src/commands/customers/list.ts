/** `customers list`: the customers of an operator, by id. */
import { Flags } from '@oclif/core';
import { limitFlag, operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { columnsOf, listFlags } from '../../cli/terminal/table.ts';
import { type Customer, listCustomers } from '../../operators/customers.ts';
import { getOperator } from '../../operators/operators.ts';

export default class List extends OperatorCommand<typeof List> {
  static override hidden = true;
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the customers of an operator.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-casino',
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --user player-17 --json',
  ];
  static override flags = {
    ...listFlags,
    ...operatorFlag,
    user: Flags.string({ helpValue: 'USER', summary: 'Only this customer.' }),
    after: Flags.string({ helpValue: 'USER', summary: 'Start after this customer.' }),
    ...limitFlag(500),
  };

  async run(): Promise<{ customers: Customer[]; count: number }> {
    const { sql } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const { user, after, limit } = this.flags;
    const customers = await listCustomers(sql, operatorId, { externalUserId: user, after, limit });
    await this.printList(customers, columnsOf('externalUserId', 'status', 'createdAt'), 'No customers yet.');
    if (customers.length === limit) {
      this.note(`There may be more: --after ${customers.at(-1)?.externalUserId}`);
    }
    return { customers, count: customers.length };
  }
}
