/** `jurisdiction get`: the asserted and the observed place of a customer. */
import { Args } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { placeFacts } from '../../cli/print/print-customer.ts';
import type { JurisdictionAssertion } from '../../client/shapes.ts';

export default class Get extends PartnerCommand<typeof Get> {
  static override summary = 'Show the asserted place of a customer.';
  static override examples = ['<%= config.bin %> <%= command.id %> player-1'];
  static override args = { user: Args.string({ required: true, description: 'Your own id of the customer.' }) };

  async run(): Promise<JurisdictionAssertion> {
    const assertion = await this.client.get('/api/v1/users/{id}/jurisdiction', { path: { id: this.args.user } });
    this.printFacts(placeFacts(assertion));
    return assertion;
  }
}
