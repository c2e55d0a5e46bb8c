/** `sandbox balance`: the simulated wallet of a customer. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { Balance as BalanceShape } from '../../client/shapes.ts';

export default class Balance extends PartnerCommand<typeof Balance> {
  static override summary = 'Show the simulated wallet of a customer.';
  static override examples = ['<%= config.bin %> <%= command.id %> u-123'];
  static override args = customerArgument;
  static override flags = customerAsFlag;

  async run(): Promise<BalanceShape> {
    const user = readCustomer(this.args.user, this.flags.user);
    const balance = await this.client.get('/api/v1/users/{id}/balance', { path: { id: user } });
    this.printFacts(balance);
    return balance;
  }
}
