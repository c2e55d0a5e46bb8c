/** `customers suspend`: the customer cannot trade until it is resumed. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { customerOfOperatorFlag, operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { holdingsText, operatorText } from '../../cli/questions.ts';
import { isReference, REFERENCE_RULE } from '../../core/reference.ts';
import { type Customer, suspendCustomer } from '../../operators/customers.ts';
import { getOperator } from '../../operators/operators.ts';

export default class Suspend extends OperatorCommand<typeof Suspend> {
  static override hidden = true;
  static override summary = 'Suspend a customer, also one who has not traded yet.';
  static override description =
    'Quotes, orders and embed calls are refused with 403 user_suspended. The customer keeps open positions, and they settle. Repeating the command records another reason.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --user player-17 --reason "asked to be excluded" --yes',
  ];
  static override flags = {
    ...yesFlag,
    ...operatorFlag,
    ...customerOfOperatorFlag,
    reason: Flags.string({ helpValue: 'TEXT', summary: 'Reason; "customers show" prints it.' }),
  };

  async run(): Promise<Customer> {
    if (!isReference(this.flags.user)) {
      throw usage(`--user takes ${REFERENCE_RULE}.`);
    }
    const { reason = null } = this.flags;
    if (reason !== null && !isReference(reason)) {
      throw usage(`--reason takes ${REFERENCE_RULE}.`);
    }
    const { sql } = await this.openContext();
    const { operatorId, ...named } = await getOperator(sql, this.flags.operator);
    await this.confirm(
      async () =>
        `Suspend ${this.flags.user} of ${operatorText(named)}? ${await holdingsText(sql, operatorId, this.flags.user)}`,
    );
    const { isNew, ...customer } = await suspendCustomer(sql, operatorId, this.flags.user, reason);
    if (isNew) {
      this.note(
        `${customer.externalUserId} has not traded yet; check the id. The suspension applies from the first quote.`,
      );
    }
    this.say(`${customer.externalUserId}: ${customer.status}`);
    return customer;
  }
}
