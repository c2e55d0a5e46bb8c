/** `venues redemptions record NAME LISTING`: records that a resolved position was redeemed at a venue, and by which transaction. */
import { Args, Flags } from '@oclif/core';
import { Failure, notFound, usage } from '../../../cli/failure.ts';
import { venueArgument } from '../../../cli/flags.ts';
import { VenueCommand } from '../../../cli/venue-command.ts';
import { EXIT } from '../../../core/errors.ts';
import { REFERENCE, REFERENCE_RULE } from '../../../core/reference.ts';
import { recordRedemption } from '../../../trading/account/venue-facts.ts';

interface RecordedRedemption {
  readonly venue: string;
  readonly listingId: string;
  readonly reference: string;
  readonly recordedBy: string;
  readonly recordedAt: string;
}

export default class VenuesRedemptionsRecord extends VenueCommand<typeof VenuesRedemptionsRecord> {
  static override hidden = true;
  static override summary = 'Record that you redeemed a resolved position at a venue.';
  static override description =
    'The command redeems nothing and moves no money. It is refused while the venue still lists the position as waiting. Repeating it with the same reference changes nothing.';
  static override examples = ['<%= config.bin %> <%= command.id %> polymarket 7131 --reference 0x5f3a'];
  static override ids = { listing: 'listing' } as const;
  static override args = {
    ...venueArgument,
    listing: Args.string({ required: true, description: 'Id of the listing, as "venues redemptions list" shows it.' }),
  };
  static override flags = {
    reference: Flags.string({ required: true, helpValue: 'REF', summary: 'Hash of the transaction that redeemed it.' }),
  };

  async run(): Promise<RecordedRedemption> {
    const { reference } = this.flags;
    const listingId = this.args.listing;
    if (!REFERENCE.test(reference)) {
      throw usage(`--reference: ${REFERENCE_RULE}`);
    }
    const { sql } = await this.openContext();
    const { name, account } = await this.tradingVenue(this.args.venue);
    if (account.redeemable === undefined) {
      throw usage(`${name} pays resolved positions by itself; nothing is redeemed there.`);
    }
    const waiting = await account.redeemable();
    if (waiting.some((one) => one.listingId === listingId)) {
      throw new Failure('still_redeemable', `${name} still lists ${listingId} as waiting to be redeemed.`, {
        exitCode: EXIT.expectationFailed,
        next: 'Wait until the transaction is final, then record it again.',
      });
    }
    const kept = await recordRedemption(sql, name, { listingId, reference });
    if (kept === undefined) {
      throw notFound(`${name} has no listing ${listingId}.`);
    }
    const redemption = { venue: name, ...kept, recordedAt: kept.recordedAt.toISOString() };
    this.printFacts(redemption);
    return redemption;
  }
}
