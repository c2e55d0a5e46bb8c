/** `venues transfers NAME`: the payments into our account at a venue and out of it that are in the books. */
import { venueArgument } from '../../cli/flags.ts';
import { reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { VenueCommand } from '../../cli/venue-command.ts';
import { formatDecimal, MICRO_SCALE } from '../../money/decimal.ts';
import { listRecordedTransfers } from '../../trading/account/transfers.ts';

interface TransferLine {
  readonly movedAt: string;
  readonly kind: string;
  /** Dollars with six decimals; below 0 they were taken out. */
  readonly amount: string;
  readonly reference: string;
  /** Login of the database; the service's own for a payment that the venue lists. */
  readonly recordedBy: string;
}

export default class VenuesTransfers extends VenueCommand<typeof VenuesTransfers> {
  static override hidden = true;
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List what was paid into our account at a venue, and taken out of it.';
  static override description =
    'The list has the newest 1,000. Deposits, withdrawals, rebates and rewards are those that the venue lists, with its ids; "by_hand" was recorded with "venues transfer".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi',
    '<%= config.bin %> <%= command.id %> polymarket --output csv',
  ];
  static override args = venueArgument;
  static override flags = { ...listFlags };

  async run(): Promise<{ venue: string; transfers: TransferLine[] }> {
    const { sql } = await this.openContext();
    const { name } = await this.tradingVenue(this.args.venue);
    const transfers = (await listRecordedTransfers(sql, name, MOST)).map((one) => ({
      movedAt: one.movedAt.toISOString(),
      kind: one.kind,
      amount: formatDecimal(one.amountMicros, MICRO_SCALE),
      reference: one.reference,
      recordedBy: one.recordedBy,
    }));
    await this.printList(
      transfers,
      [
        { name: 'movedAt', title: 'at', value: (one) => one.movedAt },
        { name: 'kind', value: (one) => one.kind },
        { name: 'amount', align: 'right', value: (one) => one.amount },
        { name: 'reference', value: (one) => one.reference },
        { name: 'recordedBy', title: 'by', value: (one) => one.recordedBy },
      ],
      'Nothing was paid in or taken out.',
    );
    return { venue: name, transfers };
  }
}

const MOST = 1_000;
