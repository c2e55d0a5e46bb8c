/** `venues redemptions list NAME`: resolved positions that wait to be redeemed at a venue, and those that were. */
import { venueArgument } from '../../../cli/flags.ts';
import { reading } from '../../../cli/operator-command.ts';
import { listFlags } from '../../../cli/terminal/table.ts';
import { VenueCommand } from '../../../cli/venue-command.ts';
import { jsonNumber, MICRO_SCALE } from '../../../money/decimal.ts';
import { listRedemptions, listWaitingRedemptions } from '../../../trading/account/venue-facts.ts';

interface RedemptionLine {
  readonly listingId: string;
  readonly state: 'waits' | 'redeemed';
  readonly contractId: string | null;
  /** Contracts of the side that pays, and dollars; null once it was redeemed. */
  readonly contracts: number | null;
  readonly pays: number | null;
  /** When the result came to our books, or when the redemption was recorded. */
  readonly since: string | null;
  readonly reference: string | null;
  readonly recordedBy: string | null;
}

export default class VenuesRedemptionsList extends VenueCommand<typeof VenuesRedemptionsList> {
  static override hidden = true;
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List resolved positions that wait to be redeemed, and those redeemed.';
  static override examples = ['<%= config.bin %> <%= command.id %> polymarket --json'];
  static override args = venueArgument;
  static override flags = { ...listFlags };

  async run(): Promise<{ venue: string; redemptions: RedemptionLine[] }> {
    const { sql } = await this.openContext();
    const { name, account } = await this.tradingVenue(this.args.venue);
    const waiting = await listWaitingRedemptions(sql, name, (await account.redeemable?.()) ?? []);
    const redemptions: RedemptionLine[] = [
      ...waiting.map((one) => ({
        listingId: one.listingId,
        state: 'waits' as const,
        contractId: one.contractId,
        contracts: jsonNumber(one.quantityMicros, MICRO_SCALE),
        pays: jsonNumber(one.paysMicros, MICRO_SCALE),
        since: one.resolvedAt?.toISOString() ?? null,
        reference: null,
        recordedBy: null,
      })),
      ...(await listRedemptions(sql, name)).map((one) => ({
        listingId: one.listingId,
        state: 'redeemed' as const,
        contractId: null,
        contracts: null,
        pays: null,
        since: one.recordedAt.toISOString(),
        reference: one.reference,
        recordedBy: one.recordedBy,
      })),
    ];
    await this.printList(
      redemptions,
      [
        { name: 'listingId', value: (one) => one.listingId },
        { name: 'state', value: (one) => one.state },
        { name: 'contractId', value: (one) => one.contractId },
        { name: 'contracts', align: 'right', value: (one) => one.contracts },
        { name: 'pays', align: 'right', value: (one) => one.pays },
        { name: 'since', value: (one) => one.since },
        { name: 'reference', title: 'transaction', value: (one) => one.reference },
        { name: 'recordedBy', title: 'by', value: (one) => one.recordedBy },
      ],
      'Nothing waits to be redeemed, and nothing was recorded.',
    );
    return { venue: name, redemptions };
  }
}
