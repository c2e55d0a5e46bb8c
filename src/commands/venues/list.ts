/** `venues list`: the venues of this deployment, and whether they answer. */

import { reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { VenueCommand } from '../../cli/venue-command.ts';
import { ratePerSecond } from '../../core/request-budget.ts';
import { loadSecrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import { listVenueFacts, type VenueFact } from '../../trading/account/venue-facts.ts';
import { openDeployedVenues } from '../../venues/registry.ts';

interface VenueLine {
  readonly name: string;
  readonly mode: 'trades' | 'read_only';
  /** Whether orders are sent there: `stopped` until a person resumes it, `held_back` while the venue takes no orders, `off` if it is read only. */
  readonly trading: 'on' | 'stopped' | 'held_back' | 'off';
  readonly stoppedBecause: string | null;
  /** Reason that no order could be sent there for more than 15 s; null while orders can be sent. */
  readonly heldBecause: string | null;
  /** Whether its prices are being followed. */
  readonly connected: boolean;
  /** Clock of the venue minus that of this machine; null if it did not answer, or has no account of ours. */
  readonly clockOffsetMs: number | null;
  /** Orders per second that all workers together may send. */
  readonly requestsPerSecond: number;
  /** Orders that all workers together could send at once, by their last report; null if no worker runs. */
  readonly requestsLeft: number | null;
  /** When our account there was last compared, or its books were last confirmed. */
  readonly lastAnswerAt: string | null;
  /** Findings: facts of its account that the books do not have. */
  readonly findings: number;
}

function tradingOf(fact: VenueFact | undefined): 'on' | 'stopped' | 'held_back' {
  if (fact?.stop != null) {
    return 'stopped';
  }
  return fact?.held == null ? 'on' : 'held_back';
}

export default class VenuesList extends VenueCommand<typeof VenuesList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the venues, what they are used for, and whether they answer.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override flags = { ...listFlags };

  async run(): Promise<{ venues: VenueLine[] }> {
    const { sql } = await this.openContext();
    const venues = await this.#list(sql);
    await this.printList(
      venues,
      [
        { name: 'name', value: (one) => one.name },
        { name: 'mode', value: (one) => one.mode },
        { name: 'trading', value: (one) => one.trading },
        { name: 'connected', value: (one) => one.connected },
        { name: 'clockOffsetMs', title: 'clock ms', align: 'right', rank: 7, value: (one) => one.clockOffsetMs },
        {
          name: 'requestsPerSecond',
          title: 'requests/s',
          align: 'right',
          rank: 8,
          value: (one) => one.requestsPerSecond,
        },
        { name: 'requestsLeft', title: 'left', align: 'right', rank: 6, value: (one) => one.requestsLeft },
        { name: 'lastAnswerAt', rank: 4, value: (one) => one.lastAnswerAt },
        { name: 'findings', align: 'right', rank: 5, value: (one) => one.findings },
        { name: 'stoppedBecause', csvOnly: true, value: (one) => one.stoppedBecause },
        { name: 'heldBecause', csvOnly: true, value: (one) => one.heldBecause },
      ],
      'No venue is configured.',
    );
    return { venues };
  }

  async #list(sql: Sql): Promise<VenueLine[]> {
    const { environment } = this;
    const facts = await listVenueFacts(sql);
    const open = openDeployedVenues({ environment, sql, secrets: loadSecrets(environment) });
    try {
      return await Promise.all(
        open.list.map(async (venue): Promise<VenueLine> => {
          const fact = facts.find(({ name }) => name === venue.name);
          return {
            name: venue.name,
            mode: venue.account === null ? 'read_only' : 'trades',
            trading: venue.account === null ? 'off' : tradingOf(fact),
            stoppedBecause: fact?.stop?.because ?? null,
            heldBecause: fact?.held?.because ?? null,
            connected: fact?.connected ?? false,
            clockOffsetMs: venue.account === null ? null : await this.offsetOf(venue.account),
            requestsPerSecond: ratePerSecond(venue.limits, 'send'),
            requestsLeft: fact?.requestsLeft ?? null,
            lastAnswerAt: fact?.lastAnswerAt?.toISOString() ?? null,
            findings: fact?.findings ?? 0,
          };
        }),
      );
    } finally {
      await open.close();
    }
  }
}
