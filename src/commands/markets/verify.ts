/** Records that a person has verified the listings of a group as one contract, so that orders may be routed among them. */
import { yesFlag } from '../../cli/base-command.ts';
import { groupArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { verifyRoutingGroup } from '../../markets/matching.ts';

export default class MarketsVerify extends OperatorCommand<typeof MarketsVerify> {
  static override hidden = true;
  static override summary = 'Verify that listings are one contract; orders then go to the best price.';
  static override examples = ['<%= config.bin %> <%= command.id %> GROUP --yes', '<%= config.bin %> markets groups'];
  static override ids = { group: 'group' } as const;
  static override args = groupArgument;
  static override flags = { ...yesFlag };

  override async run(): Promise<{ groupKey: string; verified: true; contracts: string[] }> {
    await this.confirm(`Route orders among the venues of ${this.args.group} from now on?`);
    const { sql } = await this.openContext();
    const verified = await verifyRoutingGroup(sql, this.args.group);
    this.say(`${verified.groupKey} is verified (${verified.contracts.length} contracts).`);
    return verified;
  }
}
