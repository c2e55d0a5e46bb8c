/** Shows two listings side by side, and records that a person found them to be one contract. */
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { sideBySide } from '../../cli/terminal/wrap-text.ts';
import { isReference } from '../../core/reference.ts';
import { type ListingWording, type Match, matchListings, readListing } from '../../markets/matching.ts';

const listing = (description: string) => Args.string({ required: true, description });

export default class MarketsMatch extends OperatorCommand<typeof MarketsMatch> {
  static override summary = 'Match two listings as one contract, so that orders go to the better price.';
  static override description =
    'The command shows the rules, sources, closing times and outcome names of both. The match ends if a venue later changes its rules, closing time or outcome names. ONE and OTHER are each VENUE:ID, the id at the venue, or a contract id.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi:KXRAIN-26 polymarket:7132… --note "same source and hour"',
    '<%= config.bin %> <%= command.id %> kalshi:KXRAIN-26 polymarket:7132… --inverse --yes',
  ];
  static override args = {
    one: listing('A listing of one venue.'),
    other: listing('A listing of another venue.'),
  };
  static override flags = {
    ...yesFlag,
    inverse: Flags.boolean({ default: false, summary: 'YES of one is NO of the other.' }),
    note: Flags.string({
      helpValue: 'TEXT',
      summary: 'Reason that they are one contract; "markets groups" shows it in CSV and JSON.',
    }),
  };

  override async run(): Promise<Match & { listings: readonly ListingWording[] }> {
    const { inverse, note } = this.flags;
    if (note !== undefined && !isReference(note)) {
      throw usage('--note takes 1 to 200 printable characters.');
    }
    const { sql } = await this.openContext();
    const { one, other } = this.args;
    const listings = [
      await readListing(sql, await this.#complete(one)),
      await readListing(sql, await this.#complete(other)),
    ] as const;
    this.say(sideBySide(columnOf(listings[0], false), columnOf(listings[1], inverse)));
    await this.confirm('Are these the same contract? From now on its orders go to the venue with the better price.');
    const match = await matchListings(sql, listings, { inverse, note: note ?? null });
    this.say(`${match.groupKey} is matched by ${match.matchedBy} (${match.contracts.length} contracts).`);
    return { ...match, listings };
  }

  /** Completes the id of a contract or of a listing; after the name of a venue the id is whole already. */
  async #complete(name: string): Promise<string> {
    return this.completeId('listing', await this.completeId('contract', name));
  }
}

/** The outcomes are in the order of the contract, whose first outcome is YES. */
function columnOf(wording: ListingWording, inverse: boolean): readonly (readonly [name: string, text: string])[] {
  const outcomes = [wording.yesLabel ?? 'Yes', wording.noLabel ?? 'No'];
  const [yes = '', no = ''] = inverse ? outcomes.toReversed() : outcomes;
  return [
    ['listing', `${wording.venue}:${wording.listingId}`],
    ['event', wording.title],
    ['label', wording.label],
    ['yes means', yes],
    ['no means', no],
    ['closes', wording.closesAt],
    ['source', wording.source ?? 'not given'],
    ['rules', wording.rules ?? 'not given'],
  ];
}
