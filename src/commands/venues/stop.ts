/** `venues stop NAME --reason R`: nothing more is sent to a venue until a person resumes trading there. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { venueArgument } from '../../cli/flags.ts';
import { unsentText } from '../../cli/questions.ts';
import { VenueCommand } from '../../cli/venue-command.ts';
import { REFERENCE, REFERENCE_RULE } from '../../core/reference.ts';
import { listStops, stopTradingBecause } from '../../trading/account/venue-findings.ts';

interface Stopped {
  readonly venue: string;
  /** False if trading had stopped there already. */
  readonly changed: boolean;
  readonly stoppedAt: string | null;
  readonly because: string | null;
}

export default class VenuesStop extends VenueCommand<typeof VenuesStop> {
  static override summary = 'Stop trading at a venue until "venues resume" is run.';
  static override description =
    'No order is sent to the venue, and quotes and orders of live operators for markets of this venue alone are refused with 409 trading_paused. Waiting orders are withdrawn after five minutes. Look-ups, comparisons and settlement continue.';
  static override examples = ['<%= config.bin %> <%= command.id %> kalshi --reason "prices look wrong" --yes'];
  static override args = venueArgument;
  static override flags = {
    ...yesFlag,
    reason: Flags.string({
      required: true,
      helpValue: 'REASON',
      summary: 'Reason; "doctor" and "venues list" show it.',
    }),
  };

  async run(): Promise<Stopped> {
    const { reason } = this.flags;
    if (!REFERENCE.test(reason)) {
      throw usage(`--reason: ${REFERENCE_RULE}`);
    }
    const { name } = await this.tradingVenue(this.args.venue);
    const { sql } = await this.openContext();
    await this.confirm(
      async () => `Stop trading at ${name} for all operators? ${await unsentText(sql, { venue: name })}`,
    );
    const made = await stopTradingBecause(sql, name, reason);
    const stop = made ?? (await listStops(sql)).find(({ venue }) => venue === name);
    this.say(made === undefined ? `Trading at ${name} had stopped already.` : `Trading at ${name} has stopped.`);
    return {
      venue: name,
      changed: made !== undefined,
      stoppedAt: stop?.stoppedAt.toISOString() ?? null,
      because: stop?.because ?? null,
    };
  }
}
