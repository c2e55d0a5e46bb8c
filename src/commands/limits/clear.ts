/** `limits clear`: withdraws the limits of one customer; the operator's ceiling is not changed. */
import { yesFlag } from '../../cli/base-command.ts';
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';
import type { CustomerLimits } from '../../client/shapes.ts';

export default class Clear extends PartnerCommand<typeof Clear> {
  static override summary = 'Withdraw the limits set on a customer.';
  static override description = 'The ceiling of the operator, if it has one, still applies to the customer.';
  static override examples = ['<%= config.bin %> <%= command.id %> player-1 --yes'];
  static override args = customerArgument;
  static override flags = {
    ...customerAsFlag,
    ...yesFlag,
  };

  async run(): Promise<CustomerLimits> {
    const user = readCustomer(this.args.user, this.flags.user);
    await this.confirm(`Withdraw the limits set on ${user}?`);
    const limits = await this.client.delete('/api/v1/users/{id}/limits', { path: { id: user } });
    this.printFacts(limitFacts(limits));
    return limits;
  }
}
