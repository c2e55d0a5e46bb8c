/** Ends the match of a group: further orders go to one venue only. Positions stay where they are. */
import { yesFlag } from '../../cli/base-command.ts';
import { groupArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { type Unmatched, unmatchListings } from '../../markets/matching.ts';

export default class MarketsUnmatch extends OperatorCommand<typeof MarketsUnmatch> {
  static override hidden = true;
  static override summary = 'End the match of a group; positions stay at their venue and can be sold there.';
  static override examples = ['<%= config.bin %> <%= command.id %> GROUP --yes', '<%= config.bin %> markets groups'];
  static override ids = { group: 'group' } as const;
  static override args = groupArgument;
  static override flags = yesFlag;

  override async run(): Promise<Unmatched> {
    await this.confirm(`End the match of ${this.args.group}? Orders no longer go to the better price.`);
    const { sql } = await this.openContext();
    const ended = await unmatchListings(sql, this.args.group);
    const held = ended.contracts.length - ended.apart.length;
    this.say(
      held > 0 && ended.contracts.length > 1
        ? `${ended.groupKey} is no longer routed. Its contracts stay together until what is held at the other venue has ended.`
        : `${ended.groupKey} is no longer matched.`,
    );
    return ended;
  }
}
