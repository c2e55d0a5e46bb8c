/** `limits set`: replaces the limits of one customer; limits that are not given are withdrawn. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';
import type { CustomerLimits } from '../../client/shapes.ts';

/** The limits of the API. */
const CENTS = { min: 1, max: 1_000_000_000, helpValue: 'CENTS' };

export default class SetLimits extends PartnerCommand<typeof SetLimits> {
  static override summary = 'Replace the limits set on a customer; those not given are withdrawn.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> player-1 --max-wager 5000',
    '<%= config.bin %> <%= command.id %> player-1 --period-stake 20000 --period-hours 24 --note "asked by the player"',
  ];
  static override args = { user: Args.string({ required: true, description: 'Your own id of the customer.' }) };
  static override flags = {
    'max-wager': Flags.integer({ ...CENTS, summary: 'Largest single wager, in cents.' }),
    'period-stake': Flags.integer({
      ...CENTS,
      summary: 'Largest total stake in the window, in cents.',
      dependsOn: ['period-hours'],
    }),
    'period-hours': Flags.integer({
      min: 1,
      max: 8760,
      summary: 'Length of the rolling window.',
      dependsOn: ['period-stake'],
    }),
    note: Flags.string({ summary: 'A note that is stored with the limits and has no effect.' }),
  };

  async run(): Promise<CustomerLimits> {
    if (this.flags['max-wager'] === undefined && this.flags['period-stake'] === undefined) {
      throw usage(
        'No limit is given; limits that are not given are withdrawn.',
        '"inlay limits clear USER" withdraws them all.',
      );
    }
    const limits = await this.client.put('/api/v1/users/{id}/limits', {
      path: { id: this.args.user },
      body: {
        maxWagerMinor: this.flags['max-wager'] ?? null,
        periodStakeMinor: this.flags['period-stake'] ?? null,
        periodHours: this.flags['period-hours'] ?? null,
        note: this.flags.note ?? null,
      },
    });
    this.printFacts(limitFacts(limits));
    return limits;
  }
}
