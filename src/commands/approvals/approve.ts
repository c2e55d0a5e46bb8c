/** `approvals approve`: approves the request of another person, and carries it out. */
import { carryOut, effectOf, renderApproval, type ShownApproval } from '../../cli/approvals.ts';
import { yesFlag } from '../../cli/base-command.ts';
import { Failure } from '../../cli/failure.ts';
import { approvalArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { Refusal } from '../../core/errors.ts';
import { approve, endApproval, getApproval } from '../../operators/approvals.ts';

export default class ApprovalsApprove extends OperatorCommand<typeof ApprovalsApprove> {
  static override summary = 'Approve the request of another person, and make the change now.';
  static override description =
    'The login at the database must differ from the login of the person who made the request (docs/operations.md, "A login for each person"). The facts are checked again. If they no longer allow the change, the request fails, nothing is changed, and a new request is needed. If the process dies after the approval, run the same command again. It completes the change, and nothing is done twice.';
  static override examples = ['<%= config.bin %> <%= command.id %> apr_… --yes'];
  static override ids = { approval: 'approval' } as const;
  static override args = approvalArgument;
  static override flags = { ...yesFlag };

  async run(): Promise<ShownApproval & { result: object }> {
    const { sql } = await this.openContext();
    const asked = await getApproval(sql, this.args.approval);
    this.recordApproval(asked);
    await this.confirm(async () => {
      const effect = await effectOf(sql, asked);
      return `${asked.requestedBy} asks to ${asked.summary}: ${JSON.stringify(asked.request)}. ${effect}Approve it?`;
    });
    const approval = await approve(sql, asked.approvalId);
    try {
      const result = await carryOut(sql, approval);
      await endApproval(sql, approval.approvalId, null);
      const ended = { ...renderApproval(await getApproval(sql, approval.approvalId)), result };
      this.say(`${ended.approvalId} is approved and carried out: ${ended.summary}.`);
      return ended;
    } catch (error) {
      // after any other error, such as a lost connection, the same command can carry it out again
      if (error instanceof Refusal || error instanceof Failure) {
        await endApproval(sql, approval.approvalId, error.code);
      }
      throw error;
    }
  }
}
