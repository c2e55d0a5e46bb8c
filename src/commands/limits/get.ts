/** `limits get`: what a customer may stake. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';
import type { CustomerLimits } from '../../client/shapes.ts';

export default class Get extends PartnerCommand<typeof Get> {
  static override hiddenAliases = ['limits:show'];
  static override summary = 'Show the limits of a customer and which of them apply.';
  static override examples = ['<%= config.bin %> <%= command.id %> player-1'];
  static override args = customerArgument;
  static override flags = customerAsFlag;

  async run(): Promise<CustomerLimits> {
    const user = readCustomer(this.args.user, this.flags.user);
    const limits = await this.client.get('/api/v1/users/{id}/limits', { path: { id: user } });
    this.printFacts(limitFacts(limits));
    return limits;
  }
}
