/** `audit log`: the changes made by the service operator, and by whom. */
import { Flags } from '@oclif/core';
import { operatorList } from '../../cli/operator-command.ts';
import type { Column } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import { readMoment } from '../../core/moment.ts';
import { type AuditEntry, listAuditEntries } from '../../operators/audit-log.ts';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'startedAt', title: 'time', value: ({ startedAt }) => startedAt },
  {
    name: 'login',
    value: ({ login, note }) => (note === null ? login : `${login} (${note})`),
    raw: ({ login }) => login,
  },
  { name: 'command', value: ({ command }) => command },
  { name: 'arguments', elastic: 40, mayStandBelow: true, value: ({ arguments: typed }) => typed.join(' ') },
  {
    name: 'outcome',
    value: ({ login, outcome, code, approvalId, requestedBy }) =>
      [
        code ?? outcome ?? 'no end recorded',
        approvalId === null ? '' : ` (${approvalId}${requestedBy === login ? '' : `, requested by ${requestedBy}`})`,
      ].join(''),
    raw: ({ outcome }) => outcome,
  },
  { name: 'note', value: ({ note }) => note, csvOnly: true },
  { name: 'code', value: ({ code }) => code, csvOnly: true },
  { name: 'requestedBy', value: ({ requestedBy }) => requestedBy, csvOnly: true },
  { name: 'approvalId', value: ({ approvalId }) => approvalId, csvOnly: true },
  { name: 'endedAt', value: ({ endedAt }) => endedAt, csvOnly: true },
  { name: 'changeId', value: ({ changeId }) => changeId, csvOnly: true },
];

export default operatorList({
  summary: 'List the changes made by the service operator and by whom, one line per change.',
  description:
    'A change is recorded before it begins and again when it has ended. Records cannot be changed or removed. The login is the one at the database; the note beside it is that of --as. Queries, user names and passwords of URLs are not recorded.',
  examples: ['--since 2026-11-01', '--actor ann --output csv'],
  flags: {
    since: momentFlag({ summary: 'Only changes from this time on; ISO-8601.' }),
    actor: Flags.string({ helpValue: 'NAME', summary: 'Only changes by this login, or with this note.' }),
  },
  read: (sql, { since, actor }) =>
    listAuditEntries(sql, { since: since === undefined ? null : readMoment(since), actor }),
  items: 'entries',
  columns: COLUMNS,
  none: 'Nothing was changed.',
});
