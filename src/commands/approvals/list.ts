/** `approvals list`: the requests that wait for a second person. Reads only. */

import { Flags } from '@oclif/core';
import { renderApproval, type ShownApproval } from '../../cli/approvals.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { listApprovals } from '../../operators/approvals.ts';

export default class ApprovalsList extends OperatorCommand<typeof ApprovalsList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the requests that wait for approval, newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --all --output csv',
  ];
  static override flags = {
    ...listFlags,
    all: Flags.boolean({ default: false, summary: 'Include requests that were decided or have expired.' }),
  };

  async run(): Promise<{ approvals: ShownApproval[]; count: number }> {
    const { sql } = await this.openContext();
    const approvals = (await listApprovals(sql, this.flags.all)).map(renderApproval);
    await this.printList(
      approvals,
      [
        { name: 'approvalId', value: (row) => row.approvalId },
        { name: 'status', value: (row) => row.status },
        { name: 'kind', value: (row) => row.kind },
        { name: 'summary', wraps: true, value: (row) => row.summary },
        { name: 'requestedBy', value: (row) => row.requestedBy },
        { name: 'decidedBy', value: (row) => row.decidedBy },
        { name: 'expiresAt', value: (row) => row.expiresAt },
        { name: 'requestedAt', value: (row) => row.requestedAt, csvOnly: true },
        { name: 'decidedAt', value: (row) => row.decidedAt, csvOnly: true },
        { name: 'reason', value: (row) => row.reason, csvOnly: true },
        { name: 'code', value: (row) => row.code, csvOnly: true },
      ],
      'Nothing waits for approval.',
    );
    return { approvals, count: approvals.length };
  }
}
