/** `venues parts transfer NAME CENTS`: moves cash of our account from one part of a venue to another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { Failure, usage } from '../../../cli/failure.ts';
import { readCents } from '../../../cli/flags/numbers.ts';
import { type TransferLine, transferLine, VenueCommand } from '../../../cli/venue-command.ts';
import { EXIT } from '../../../core/errors.ts';
import { isReference, REFERENCE_RULE } from '../../../core/reference.ts';
import { formatMinor } from '../../../money/usd.ts';
import { findTransfer, followTransfers, type RecordedTransfer } from '../../../trading/account/part-transfers.ts';
import { transferBetweenParts } from '../../../trading/account/transfer-between-parts.ts';

const ASK_EVERY_MS = 1_000;
const LONGEST_MS = 15_000;
const MOST_PARTS = 100;
const ENDED: readonly RecordedTransfer['state'][] = ['arrived', 'refused'];

export default class VenuesPartsTransfer extends VenueCommand<typeof VenuesPartsTransfer> {
  static override summary = 'Move cash of our account from one part of a venue to another.';
  static override description =
    'It is sent once. The same reference again sends nothing and shows what became of it. The venue moves the money in steps: while it is under way, or without an answer, the transfer is followed by the worker, and "venues account" shows it. Exit code 6 means that the venue has not answered.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi 50000 --from 0 --to 2 --reference "crypto 7" --as ada',
  ];
  static override args = {
    venue: Args.string({ required: true, description: 'Name of a venue.' }),
    cents: Args.string({ required: true, description: 'Amount in cents.' }),
  };
  static override flags = {
    ...yesFlag,
    from: Flags.integer({ required: true, min: 0, max: MOST_PARTS, summary: 'Part that pays.' }),
    to: Flags.integer({ required: true, min: 0, max: MOST_PARTS, summary: 'Part that receives.' }),
    reference: Flags.string({ required: true, helpValue: 'R', summary: 'Your own reference of the transfer.' }),
  };

  async run(): Promise<TransferLine> {
    const { from, to, reference } = this.flags;
    if (!isReference(reference)) {
      throw usage(`--reference: ${REFERENCE_RULE}`);
    }
    if (from === to) {
      throw usage('--from and --to are the same part.');
    }
    const amountMinor = readCents(this.args.cents);
    const { sql } = await this.openContext();
    const { name, account } = await this.tradingVenue(this.args.venue);
    const { partTransfers } = account;
    if (partTransfers === undefined) {
      throw usage(`${name} has one place for money; there is nothing to move.`);
    }
    await this.confirmOnTerminal(
      `Move ${formatMinor(amountMinor)} dollars at ${name} from part ${from} to part ${to}?`,
    );
    const wanted = { venue: name, reference, from, to, amountMinor, requestedBy: this.actor };
    let transfer = await transferBetweenParts(sql, partTransfers, wanted);
    if (transfer === undefined) {
      throw new Failure('transfer_unanswered', 'An equal transfer under another reference has no answer yet.', {
        next: 'Wait until "venues account" no longer lists it, or close it with "venues parts close".',
      });
    }
    for (let waited = 0; !ENDED.includes(transfer.state) && waited < LONGEST_MS; waited += ASK_EVERY_MS) {
      await sleep(ASK_EVERY_MS);
      // the transfer stays open while the venue does not answer
      await followTransfers(sql, name, partTransfers).catch(() => undefined);
      transfer = (await findTransfer(sql, name, reference)) ?? transfer;
    }
    const line = transferLine(transfer);
    this.printFacts({ ...line });
    if (line.state === 'refused') {
      this.endWith(EXIT.refused);
    } else if (line.state === 'asked') {
      this.endWith(EXIT.outcomeUnknown);
    }
    return line;
  }
}
