/** `limits get`: what a customer may stake. */
import { Args } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';
import type { CustomerLimits } from '../../client/shapes.ts';

export default class Get extends PartnerCommand<typeof Get> {
  static override summary = 'Show the limits of a customer and which of them apply.';
  static override examples = ['<%= config.bin %> <%= command.id %> player-1'];
  static override args = { user: Args.string({ required: true, description: 'Your own id of the customer.' }) };

  async run(): Promise<CustomerLimits> {
    const limits = await this.client.get('/api/v1/users/{id}/limits', { path: { id: this.args.user } });
    this.printFacts(limitFacts(limits));
    return limits;
  }
}
