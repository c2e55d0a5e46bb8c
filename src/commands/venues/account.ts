/** `venues account NAME`: our account at a venue, beside the books. */
import { venueArgument } from '../../cli/flags.ts';
import { reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import {
  type CashLine,
  cashLine,
  type PartLine,
  type PositionLine,
  positionLine,
  VenueCommand,
} from '../../cli/venue-command.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { compareCash, comparePositions } from '../../trading/account/our-side.ts';
import { listTransfers } from '../../trading/account/transfers.ts';
import { listOpenMarkets } from '../../trading/account/venue-facts.ts';

interface OpenOrderLine {
  readonly ourId: string;
  readonly listingId: string;
  readonly side: string;
  readonly action: string;
  readonly quantity: number;
}

export default class VenuesAccount extends VenueCommand<typeof VenuesAccount> {
  static override hidden = true;
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show our account at a venue: cash, positions and orders beside our books.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> paper',
    '<%= config.bin %> <%= command.id %> paper --json',
  ];
  static override args = venueArgument;
  static override flags = { ...listFlags };

  async run(): Promise<{
    venue: string;
    balance: number;
    /** Dollars that resolved positions pay once they are redeemed there; null if the venue pays without a redemption. */
    redeemable: number | null;
    cash: CashLine | null;
    /** Balance on each part of the venue; null if the venue has no parts. */
    parts: PartLine[] | null;
    positions: PositionLine[];
    openOrders: OpenOrderLine[];
  }> {
    const { sql } = await this.openContext();
    const { name, account } = await this.tradingVenue(this.args.venue);
    const [balance, redeemable, held, orders] = await Promise.all([
      account.balanceMicros(),
      account.redeemableMicros?.().then((micros) => jsonNumber(micros, MICRO_SCALE)) ?? null,
      account.positions(),
      account.ordersSince(new Date()),
    ]);
    const transfers = await listTransfers(sql, name, account);
    const cash = cashLine(await compareCash(sql, name, account, transfers));
    const positions = (await comparePositions(sql, name, account, held)).map(positionLine);
    const openOrders = orders
      .filter(({ state }) => state === 'working')
      .map(({ ourId, listingId, side, action, quantityMicros }) => ({
        ourId,
        listingId,
        side,
        action,
        quantity: jsonNumber(quantityMicros, MICRO_SCALE),
      }));
    const parts = (await account.parts?.()) ?? null;
    const open = parts === null ? [] : (await listOpenMarkets(sql)).filter(({ venue }) => venue === name);
    const partLines =
      parts?.map(({ part, balanceMicros, paused }) => ({
        part,
        balance: jsonNumber(balanceMicros, MICRO_SCALE),
        paused,
        openMarkets: open.find((one) => one.part === part)?.markets ?? 0,
      })) ?? null;
    if (this.flags.output === 'table') {
      this.printFacts({
        venue: name,
        balance: jsonNumber(balance, MICRO_SCALE),
        ...(redeemable === null ? {} : { 'to be redeemed there': redeemable }),
        'expected at least': cash?.expectedLeast ?? 'not known yet',
        'expected at most': cash?.expectedMost ?? 'not known yet',
        ...(cash === null || cash.unexplained === 0 ? {} : { unexplained: cash.unexplained }),
        'open orders': openOrders.length,
      });
    }
    if (partLines !== null && this.flags.output === 'table') {
      await this.printParts(partLines);
    }
    await this.printPositions(positions);
    return {
      venue: name,
      balance: jsonNumber(balance, MICRO_SCALE),
      redeemable,
      cash,
      parts: partLines,
      positions,
      openOrders,
    };
  }
}
