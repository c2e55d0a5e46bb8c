/** `approvals required`: the kinds of change that need a second person. To remove a kind needs approval itself. */
import { Flags } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { APPROVAL_KINDS, type ApprovalKind, listRequired, setRequired } from '../../operators/approvals.ts';

export default class ApprovalsRequired extends OperatorCommand<typeof ApprovalsRequired> {
  static override summary = 'Show or set which kinds of change need the approval of a second person.';
  static override description =
    'If a change needs approval, its command stores a request instead. It prints the id of the request and ends with exit code 1 and approval_required, and another person approves the request. --set names all kinds that need approval from now on. To leave out a kind that needs approval today needs approval too.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --set collateral_withdrawal --set order_resolution',
    '<%= config.bin %> <%= command.id %> --none',
  ];
  static override flags = {
    set: Flags.option({ options: APPROVAL_KINDS, multiple: true, exclusive: ['none'], helpValue: 'KIND' })({
      summary: `Kinds that need approval: ${APPROVAL_KINDS.join(', ')}.`,
    }),
    none: Flags.boolean({ summary: 'From now on no kind needs approval.' }),
  };

  async run(): Promise<{ required: ApprovalKind[] }> {
    const { set, none } = this.flags;
    const { sql } = await this.openContext();
    const before = await listRequired(sql);
    const kinds = none === true ? [] : set === undefined ? before : [...new Set(set)].sort();
    const fewer = before.filter((kind) => !kinds.includes(kind));
    if (fewer.length > 0) {
      await this.expectNoApproval(
        { kind: 'approval_rules', kinds },
        `need no approval any more for ${fewer.join(', ')}`,
      );
    } else if (kinds.length > before.length) {
      await setRequired(sql, kinds);
    }
    this.say(kinds.length === 0 ? 'No kind of change needs approval.' : kinds.join('\n'));
    return { required: kinds };
  }
}
