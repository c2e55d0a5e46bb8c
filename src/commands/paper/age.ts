/** `paper age`: makes a book of the paper venue old, like a price that is no longer confirmed. */
import { Args } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { contractArgument } from '../../cli/flags.ts';
import { type PaperAnswer, PaperCommand, reachedBook, venueFlag } from '../../cli/paper-command.ts';

const LONGEST_SECONDS = 86_400;

export default class PaperAge extends PaperCommand<typeof PaperAge> {
  static override hidden = true;
  static override summary = 'Make the paper venue report a book as SECONDS old.';
  static override description = [
    'The book is frozen and its age grows until it is set again ("paper book") or thawed.',
    'In a quote, a price is live up to 5 s, recent up to 30 s and aged up to 120 s. For an aged price a stake above 100.00 is refused (stake_exceeds_stale_limit), for an older price every stake (price_stale).',
  ].join('\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_… 60',
    '<%= config.bin %> <%= command.id %> ctr_… 130',
    '<%= config.bin %> paper thaw ctr_…',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    seconds: Args.string({ required: true, description: 'Age of the book in seconds, 0 to 86400.' }),
  };
  static override flags = { ...venueFlag };

  override async run(): Promise<PaperAnswer> {
    const { seconds } = this.args;
    if (!/^[0-9]{1,5}$/.test(seconds) || Number(seconds) > LONGEST_SECONDS) {
      throw usage('The age must be a whole number of seconds from 0 to 86400.');
    }
    return this.change('age', { seconds: Number(seconds) }, reachedBook);
  }
}
