/** `approvals list`: the requests that wait for a second person. */
import { Flags } from '@oclif/core';
import { renderApproval, type ShownApproval } from '../../cli/approvals.ts';
import { operatorList } from '../../cli/operator-command.ts';
import type { Column } from '../../cli/terminal/table.ts';
import { listApprovals } from '../../operators/approvals.ts';

const COLUMNS: readonly Column<ShownApproval>[] = [
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
];

export default operatorList({
  summary: 'List the requests that wait for approval, newest first.',
  examples: ['', '--all --output csv'],
  flags: {
    all: Flags.boolean({ default: false, summary: 'Include requests that were decided or have expired.' }),
  },
  read: async (sql, { all }) => (await listApprovals(sql, all)).map(renderApproval),
  items: 'approvals',
  columns: COLUMNS,
  none: 'Nothing waits for approval.',
});
