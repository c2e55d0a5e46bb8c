/** `limits set`: replaces what was set on one customer; what is left out is withdrawn. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/terminal/print-limits.ts';
import type { CustomerLimits } from '../../client/shapes.ts';

/** The bounds of the API. */
const CENTS = { min: 1, max: 1_000_000_000, helpValue: 'CENTS' };

export default class SetLimits extends PartnerCommand<typeof SetLimits> {
  static override summary = 'Replace the limits set on a customer; what is left out is withdrawn.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> player-1 --max-wager 5000',
    '<%= config.bin %> <%= command.id %> player-1 --period-stake 20000 --period-hours 24 --note "asked by the player"',
  ];
  static override args = { user: Args.string({ required: true, description: 'Your own id of the customer.' }) };
  static override flags = {
    'max-wager': Flags.integer({ ...CENTS, summary: 'Most that one wager may be, in cents.' }),
    'period-stake': Flags.integer({
      ...CENTS,
      summary: 'Most that is staked in the window, in cents.',
      dependsOn: ['period-hours'],
    }),
    'period-hours': Flags.integer({
      min: 1,
      max: 8760,
      summary: 'Length of the rolling window.',
      dependsOn: ['period-stake'],
    }),
    note: Flags.string({ summary: 'Why; kept with the limits, binds nobody.' }),
  };

  async run(): Promise<CustomerLimits> {
    if (this.flags['max-wager'] === undefined && this.flags['period-stake'] === undefined) {
      throw usage(
        'No limit is given, and what is left out is withdrawn.',
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
