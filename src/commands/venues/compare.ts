/** `venues compare NAME`: compares our account at a venue with the books. Exit 5 on a difference. */
import { venueArgument } from '../../cli/flags.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { type CashLine, cashLine, type PositionLine, positionLine, VenueCommand } from '../../cli/venue-command.ts';
import { EXIT } from '../../core/errors.ts';
import { compareAccount } from '../../trading/account/compare-account.ts';
import { compareCash, comparePositions, differenceOf } from '../../trading/account/our-side.ts';
import { listTransfers } from '../../trading/account/transfers.ts';
import { listEmptyParts } from '../../trading/account/venue-facts.ts';
import { listFindings } from '../../trading/account/venue-findings.ts';
import { createRecordPorts } from '../../trading/execution/record-execution.ts';

interface FindingLine {
  readonly kind: string;
  readonly subject: string;
  readonly orderId: string | null;
  readonly foundAt: string;
  /** `warning` if the venue has more than the books, or a result of it is late; `critical` findings stop trading there. */
  readonly severity: 'warning' | 'critical';
}

export default class VenuesCompare extends VenueCommand<typeof VenuesCompare> {
  static override hidden = true;
  static override summary = 'Compare our account at a venue with the books; exit 5 on a difference.';
  static override description =
    'The command reads orders, fills, positions and cash at the venue, as the worker does continuously. Facts of an open order are booked; a difference from the books is stored as a finding. Cash is compared from the first comparison on: transfers that the venue lists are booked, and "venues transfer" records the others. If the venue has more than the books, or no result a day after a market closed, that is a warning. If something is missing at the venue, or is not ours, trading there stops.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> paper',
    '<%= config.bin %> <%= command.id %> paper --json',
  ];
  static override args = venueArgument;
  static override flags = { ...listFlags };

  async run(): Promise<{
    venue: string;
    ok: boolean;
    findings: FindingLine[];
    positions: PositionLine[];
    cash: CashLine | null;
    /** Parts of the venue on which the account has nothing although markets trade there. They do not count as a difference. */
    emptyParts: { part: number; openMarkets: number }[];
  }> {
    const { sql, log } = await this.openContext();
    const { name, account, venue } = await this.tradingVenue(this.args.venue);
    await compareAccount({ ...createRecordPorts(sql), log }, venue, (await this.offsetOf(account)) ?? 0, 0);
    const findings = (await listFindings(sql))
      .filter((finding) => finding.venue === name)
      .map((row) => ({
        kind: row.kind,
        subject: row.subject,
        orderId: row.orderId,
        foundAt: row.foundAt.toISOString(),
        severity: row.warning ? ('warning' as const) : ('critical' as const),
      }));
    const positions = (await comparePositions(sql, name, account, await account.positions()))
      .filter((one) => differenceOf(one) !== 0n && !one.inFlight)
      .map(positionLine);
    const cash = cashLine(await compareCash(sql, name, account, await listTransfers(sql, name, account)));
    const ok = findings.length === 0 && positions.length === 0 && cash?.agrees !== false;
    await this.printList(
      findings,
      [
        { name: 'severity', value: (one) => one.severity },
        { name: 'kind', value: (one) => one.kind },
        { name: 'subject', value: (one) => one.subject },
        { name: 'orderId', value: (one) => one.orderId },
        { name: 'foundAt', value: (one) => one.foundAt },
      ],
      'The books have everything that the account has.',
    );
    if (positions.length > 0) {
      await this.printPositions(positions);
    }
    if (cash !== null && this.flags.output === 'table') {
      this.printFacts({ ...cash });
    }
    const emptyParts = (await listEmptyParts(sql))
      .filter((one) => one.venue === name)
      .map(({ part, markets }) => ({ part, openMarkets: markets }));
    for (const { part, openMarkets } of emptyParts) {
      this.note(`The account has nothing on part ${part}, where markets trade: ${openMarkets}.`);
    }
    if (!ok) {
      this.endWith(EXIT.expectationFailed);
    }
    return { venue: name, ok, findings, positions, cash, emptyParts };
  }
}
