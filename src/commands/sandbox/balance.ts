/** `sandbox balance`: the simulated wallet of a customer. */
import { Args } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { Balance as BalanceShape } from '../../wire/sandbox.ts';

export default class Balance extends PartnerCommand<typeof Balance> {
  static override summary = 'Show the simulated wallet of a customer.';
  static override examples = ['<%= config.bin %> <%= command.id %> u-123'];
  static override args = { user: Args.string({ required: true, description: 'Your own id of the customer.' }) };

  async run(): Promise<BalanceShape> {
    const balance = await this.api.get<BalanceShape>(`/api/v1/users/${encodeURIComponent(this.args.user)}/balance`);
    this.printFacts(balance);
    return balance;
  }
}
