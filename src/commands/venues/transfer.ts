/** `venues transfer NAME AMOUNT`: records a payment into our account at a venue, or out of it, that no list of the venue contains. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { MICROS_OR_DOLLARS, readMicros, venueArgument } from '../../cli/flags.ts';
import { VenueCommand } from '../../cli/venue-command.ts';
import { REFERENCE, REFERENCE_RULE } from '../../core/reference.ts';
import { formatDecimal, MICRO_SCALE } from '../../money/decimal.ts';
import { recordTransfer } from '../../trading/account/transfers.ts';

interface RecordedTransfer {
  readonly venue: string;
  readonly reference: string;
  /** Dollars with six decimals; below 0 they were taken out. */
  readonly amount: string;
  readonly recordedAt: string;
}

export default class VenuesTransfer extends VenueCommand<typeof VenuesTransfer> {
  static override hidden = true;
  static override summary = 'Record what you paid into our account at a venue, or took out of it.';
  static override description =
    'The command moves no money; the comparison of cash takes the transfer into account. Deposits, withdrawals, rebates and rewards that the venue lists are booked by the worker ("venues transfers" shows them), so record only the others, for example interest. Repeating the command with the same reference and amount changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi 33.930001 --reference "interest 2026-11"',
    '<%= config.bin %> <%= command.id %> paper 1000000000 --out --reference "withdrawal 7"',
  ];
  static override args = {
    ...venueArgument,
    amount: Args.string({ required: true, description: `Amount ${MICROS_OR_DOLLARS}.` }),
  };
  static override flags = {
    out: Flags.boolean({ summary: 'The money was taken out; by default it was paid in.' }),
    reference: Flags.string({ required: true, helpValue: 'REF', summary: 'Your own reference of the transfer.' }),
  };

  async run(): Promise<RecordedTransfer> {
    const { reference, out } = this.flags;
    if (!REFERENCE.test(reference)) {
      throw usage(`--reference: ${REFERENCE_RULE}`);
    }
    const micros = readMicros(this.args.amount);
    const { sql } = await this.openContext();
    const { name } = await this.tradingVenue(this.args.venue);
    const amountMicros = out ? -micros : micros;
    const recordedAt = await recordTransfer(sql, name, reference, amountMicros);
    const amount = formatDecimal(amountMicros, MICRO_SCALE);
    const transfer = { venue: name, reference, amount, recordedAt: recordedAt.toISOString() };
    this.printFacts(transfer);
    return transfer;
  }
}
