/** `venues resume NAME`: trading at a venue continues after the service or a person stopped it. */
import { yesFlag } from '../../cli/base-command.ts';
import { notFound } from '../../cli/failure.ts';
import { venueArgument } from '../../cli/flags.ts';
import { VenueCommand } from '../../cli/venue-command.ts';
import { listFindings, listStops, resumeTrading } from '../../trading/account/venue-findings.ts';

interface Resumed {
  readonly venue: string;
  /** False if trading was not stopped there. */
  readonly changed: boolean;
  readonly stoppedAt: string | null;
  readonly because: string | null;
  /** Findings that are still open; new ones stop trading again. */
  readonly openFindings: number;
}

export default class VenuesResume extends VenueCommand<typeof VenuesResume> {
  static override summary = 'Resume trading at a venue where the service or a person stopped it.';
  static override description =
    'First run "venues compare NAME" and resolve what it reports. Findings that are open now do not stop trading again; new ones do.';
  static override examples = ['<%= config.bin %> <%= command.id %> kalshi --yes'];
  static override args = venueArgument;
  static override flags = yesFlag;

  async run(): Promise<Resumed> {
    const venue = this.args.venue;
    if (!this.environment.venues.some((name) => name === venue)) {
      throw notFound(`No venue ${venue} among those of INLAY_VENUES: ${this.environment.venues.join(', ')}.`);
    }
    const { sql } = await this.openContext();
    const open = (await listFindings(sql)).filter((finding) => finding.venue === venue).length;
    const because = (await listStops(sql)).find((stop) => stop.venue === venue)?.because;
    if (because !== undefined) {
      await this.confirm(`Trading at ${venue} stopped because of ${because}. ${open} findings are open. Resume?`);
    }
    const stop = await resumeTrading(sql, venue);
    // also ends a stop by the exchange's own limit, which is not in the books
    await (await this.openVenues()).get(venue).account?.release?.();
    this.say(stop === undefined ? `Trading at ${venue} was not stopped.` : `Trading at ${venue} has resumed.`);
    return {
      venue,
      changed: stop !== undefined,
      stoppedAt: stop?.stoppedAt.toISOString() ?? null,
      because: stop?.because ?? null,
      openFindings: open,
    };
  }
}
