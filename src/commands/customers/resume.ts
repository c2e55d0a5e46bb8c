/** `customers resume`: trading is possible again. */
import { Flags } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { refuse } from '../../core/errors.ts';
import { type Customer, resumeCustomer } from '../../operators/customers.ts';
import { getOperator } from '../../operators/operators.ts';

export default class Resume extends OperatorCommand<typeof Resume> {
  static override summary = 'Resume a suspended customer.';
  static override description = 'The customer can trade from the next request on.';
  static override examples = ['<%= config.bin %> <%= command.id %> --operator lucky-casino --user player-17'];
  static override flags = {
    operator: Flags.string({ required: true, helpValue: 'SLUG', summary: 'Slug or id of the operator.' }),
    user: Flags.string({ required: true, helpValue: 'USER', summary: "The operator's own id of the customer." }),
  };

  async run(): Promise<Customer> {
    const { sql } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const customer = await resumeCustomer(sql, operatorId, this.flags.user);
    if (customer === undefined) {
      throw refuse('unknown_user');
    }
    this.say(`${customer.externalUserId}: ${customer.status}`);
    return customer;
  }
}
