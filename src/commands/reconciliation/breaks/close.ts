/** `reconciliation breaks close`: closes a break with the reason that a person found. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../../cli/failure.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { renderBreak, type ShownBreak } from '../../../cli/print/print-break.ts';
import { closeBreak } from '../../../reconciliation/outside/outside-statements.ts';

export default class BreaksClose extends OperatorCommand<typeof BreaksClose> {
  static override summary = 'Close a break with a reason.';
  static override examples = ['<%= config.bin %> <%= command.id %> brk_… --reason "entered as wire 8, ticket 4711"'];
  static override args = { break: Args.string({ required: true, description: 'An id of `breaks list`.' }) };
  static override flags = { reason: Flags.string({ required: true, summary: 'Why; stored with the break.' }) };

  async run(): Promise<ShownBreak> {
    const reason = this.flags.reason.trim();
    if (reason === '' || reason.length > 1000) {
      throw usage('--reason must say why, in at most 1000 characters; it is stored with the break.');
    }
    const { sql } = await this.openContext();
    const closed = renderBreak(await closeBreak(sql, this.args.break, this.actor, reason));
    this.say(`${closed.breakId} is closed: ${reason}.`);
    return closed;
  }
}
