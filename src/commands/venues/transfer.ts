/** `venues transfer NAME CENTS`: records what was paid into our account at a venue, or taken out of it. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { readCents } from '../../cli/flags.ts';
import { VenueCommand } from '../../cli/venue-command.ts';
import { REFERENCE, REFERENCE_RULE } from '../../core/reference.ts';
import { formatMinor } from '../../money/usd.ts';
import { recordTransfer } from '../../trading/account/venue-facts.ts';

interface RecordedTransfer {
  readonly venue: string;
  readonly reference: string;
  /** Dollars; below 0 it was taken out. */
  readonly amount: string;
  readonly recordedAt: string;
}

export default class VenuesTransfer extends VenueCommand<typeof VenuesTransfer> {
  static override summary = 'Record what you paid into our account at a venue, or took out of it.';
  static override description =
    'This moves no money; the comparison of cash takes the transfer into account. Recording the same reference and amount again changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> paper 5000000 --reference "wire 2026-05-03"',
    '<%= config.bin %> <%= command.id %> paper 100000 --out --reference "withdrawal 7"',
  ];
  static override args = {
    venue: Args.string({ required: true, description: 'Name of a venue.' }),
    cents: Args.string({ required: true, description: 'Amount in cents.' }),
  };
  static override flags = {
    out: Flags.boolean({ summary: 'The money was taken out.' }),
    reference: Flags.string({ required: true, helpValue: 'REF', summary: 'Your own reference of the transfer.' }),
  };

  async run(): Promise<RecordedTransfer> {
    const { reference, out } = this.flags;
    if (!REFERENCE.test(reference)) {
      throw usage(`--reference: ${REFERENCE_RULE}`);
    }
    const cents = readCents(this.args.cents);
    const { sql } = await this.openContext();
    const { name } = await this.tradingVenue(this.args.venue);
    const amountMinor = out ? -cents : cents;
    const recordedAt = await recordTransfer(sql, name, reference, amountMinor);
    const transfer = { venue: name, reference, amount: formatMinor(amountMinor), recordedAt: recordedAt.toISOString() };
    this.printFacts(transfer);
    return transfer;
  }
}
