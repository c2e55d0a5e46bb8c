/** `limits set`: replaces the limits of one customer; limits that are not given are withdrawn. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { CENTS_OR_DOLLARS, customerArgument, customerAsFlag, readCents, readCustomer } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';

/** Largest amount that the API accepts. */
const MOST_CENTS = 1_000_000_000n;

/** An amount as the API takes it: a number of cents. */
const cents = Flags.custom<number>({
  helpValue: 'CENTS',
  parse: async (text) => {
    const amount = readCents(text);
    if (amount > MOST_CENTS) {
      throw usage(`${text} is more than ${MOST_CENTS} cents.`);
    }
    return Number(amount);
  },
});

export default partnerCall({
  summary: 'Replace the limits of a customer; limits that are not given are withdrawn.',
  examples: [
    'player-1 --max-wager 5000',
    'player-1 --period-stake 20000 --period-hours 24 --note "asked by the player"',
  ],
  args: customerArgument,
  flags: {
    ...customerAsFlag,
    'max-wager': cents({ summary: `Largest single wager, ${CENTS_OR_DOLLARS}.` }),
    'period-stake': cents({
      summary: `Largest total stake in the window, ${CENTS_OR_DOLLARS}.`,
      dependsOn: ['period-hours'],
    }),
    'period-hours': Flags.integer({
      helpValue: 'HOURS',
      min: 1,
      max: 8760,
      summary: 'Length of the rolling window in hours.',
      dependsOn: ['period-stake'],
    }),
    note: Flags.string({ helpValue: 'TEXT', summary: 'Note that is stored with the limits; it has no effect.' }),
    ...yesFlag,
  },
  call: async ({ client, args, flags }) => {
    const user = readCustomer(args.user, flags.user);
    if (flags['max-wager'] === undefined && flags['period-stake'] === undefined) {
      throw usage(
        'No limit is given; limits that are not given are withdrawn.',
        '"inlay limits clear USER" withdraws them all.',
      );
    }
    return client.put('/api/v1/users/{id}/limits', {
      path: { id: user },
      body: {
        maxWagerMinor: flags['max-wager'] ?? null,
        periodStakeMinor: flags['period-stake'] ?? null,
        periodHours: flags['period-hours'] ?? null,
        note: flags.note ?? null,
      },
    });
  },
  show: limitFacts,
});
