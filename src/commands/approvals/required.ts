/** `approvals required`: which kinds of change need a second person. To need fewer of them needs approval itself. */
import { Flags } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { APPROVAL_KINDS, type ApprovalKind, listRequired, setRequired } from '../../operators/approvals.ts';

export default class ApprovalsRequired extends OperatorCommand<typeof ApprovalsRequired> {
  static override summary = 'Show or set which kinds of change need the approval of a second person.';
  static override description =
    'A change of such a kind is not made: the command prints the id of a request, ends with exit 1 and approval_required, and somebody else approves it. --set names all kinds that need approval from now on. If one that needs it today is left out, that is a request as well.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --set collateral_withdrawal --set order_resolution',
    '<%= config.bin %> <%= command.id %> --none',
  ];
  static override flags = {
    set: Flags.option({ options: APPROVAL_KINDS, multiple: true, exclusive: ['none'], helpValue: 'KIND' })({
      summary: `Kinds that need approval: ${APPROVAL_KINDS.join(', ')}.`,
    }),
    none: Flags.boolean({ summary: 'No kind needs approval.' }),
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
