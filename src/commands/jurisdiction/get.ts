/** `jurisdiction get`: the asserted and the observed place of a customer. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { placeFacts } from '../../cli/print/print-customer.ts';
import type { JurisdictionAssertion } from '../../client/shapes.ts';

export default class Get extends PartnerCommand<typeof Get> {
  static override hiddenAliases = ['jurisdiction:show'];
  static override summary = 'Show the asserted place of a customer.';
  static override examples = ['<%= config.bin %> <%= command.id %> player-1'];
  static override args = customerArgument;
  static override flags = customerAsFlag;

  async run(): Promise<JurisdictionAssertion> {
    const user = readCustomer(this.args.user, this.flags.user);
    const assertion = await this.client.get('/api/v1/users/{id}/jurisdiction', { path: { id: user } });
    this.printFacts(placeFacts(assertion));
    return assertion;
  }
}
