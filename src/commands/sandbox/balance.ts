/** `sandbox balance`: the simulated wallet of a customer. */
import { Args } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { Balance as BalanceShape } from '../../client/shapes.ts';

export default class Balance extends PartnerCommand<typeof Balance> {
  static override summary = 'Show the simulated wallet of a customer.';
  static override examples = ['<%= config.bin %> <%= command.id %> u-123'];
  static override args = { user: Args.string({ required: true, description: 'Your own id of the customer.' }) };

  async run(): Promise<BalanceShape> {
    const balance = await this.client.get('/api/v1/users/{id}/balance', { path: { id: this.args.user } });
    this.printFacts(balance);
    return balance;
  }
}
