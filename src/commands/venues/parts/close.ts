/** `venues parts close NAME REFERENCE`: records that a transfer without an answer was never made, as a person learned from the venue. */
import { Args, Flags } from '@oclif/core';
import { Failure, notFound, usage } from '../../../cli/failure.ts';
import { type TransferLine, transferLine, VenueCommand } from '../../../cli/venue-command.ts';
import { EXIT } from '../../../core/errors.ts';
import { isReference, REFERENCE_RULE } from '../../../core/reference.ts';
import { findTransfer, followTransfers, recordRefused } from '../../../trading/account/part-transfers.ts';

export default class VenuesPartsClose extends VenueCommand<typeof VenuesPartsClose> {
  static override summary = 'Record that a transfer between parts that got no answer was not made.';
  static override description =
    'First the venue is asked once more. It is refused if the venue lists the transfer, or if its answer is known. It moves no money.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi "crypto 7" --evidence "support ticket 812: no such transfer" --as ada',
  ];
  static override args = {
    venue: Args.string({ required: true, description: 'Name of a venue.' }),
    reference: Args.string({ required: true, description: 'Reference of the transfer.' }),
  };
  static override flags = {
    evidence: Flags.string({ required: true, helpValue: 'TEXT', summary: 'How you know it.' }),
  };

  async run(): Promise<TransferLine> {
    const { reference } = this.args;
    const { evidence } = this.flags;
    if (!isReference(evidence)) {
      throw usage(`--evidence: ${REFERENCE_RULE}`);
    }
    const { sql } = await this.openContext();
    const { name, account } = await this.tradingVenue(this.args.venue);
    if (account.partTransfers !== undefined) {
      await followTransfers(sql, name, account.partTransfers);
    }
    const closed = await recordRefused(sql, name, reference, evidence);
    const transfer = await findTransfer(sql, name, reference);
    if (transfer === undefined) {
      throw notFound(`No transfer ${reference} at ${name}.`);
    }
    if (!closed) {
      throw new Failure('transfer_answered', `The transfer is ${transfer.state.replaceAll('_', ' ')}.`, {
        exitCode: EXIT.refused,
        extra: { ...transferLine(transfer) },
      });
    }
    const line = transferLine(transfer);
    this.printFacts({ ...line });
    return line;
  }
}
