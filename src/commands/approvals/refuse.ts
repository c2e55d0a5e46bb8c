/** `approvals refuse`: refuses a request; the person who made it withdraws it in the same way. */
import { Flags } from '@oclif/core';
import { renderApproval, type ShownApproval } from '../../cli/approvals.ts';
import { usage } from '../../cli/failure.ts';
import { approvalArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { getApproval, refuseApproval } from '../../operators/approvals.ts';

export default class ApprovalsRefuse extends OperatorCommand<typeof ApprovalsRefuse> {
  static override hidden = true;
  static override summary = 'Refuse a request, or withdraw your own.';
  static override examples = ['<%= config.bin %> <%= command.id %> apr_… --reason "no such wire"'];
  static override ids = { approval: 'approval' } as const;
  static override args = approvalArgument;
  static override flags = {
    reason: Flags.string({ helpValue: 'REASON', required: true, summary: 'Reason; it is stored with the request.' }),
  };

  async run(): Promise<ShownApproval> {
    const reason = this.flags.reason.trim();
    if (reason === '') {
      throw usage('--reason must not be empty; it is stored with the request.');
    }
    const { sql } = await this.openContext();
    const asked = await getApproval(sql, this.args.approval);
    this.recordApproval(asked);
    const refused = renderApproval(await refuseApproval(sql, asked.approvalId, reason));
    this.say(`${refused.approvalId} is refused: ${refused.summary}.`);
    return refused;
  }
}
