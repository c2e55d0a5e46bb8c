/** `staff remove`: a person approves nothing any more. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { notFound } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { removeStaff } from '../../operators/approvals.ts';

export default class StaffRemove extends OperatorCommand<typeof StaffRemove> {
  static override summary = 'Remove a person from the staff, with all their users of the system.';
  static override examples = ['<%= config.bin %> <%= command.id %> "Ann Lee" --yes'];
  static override args = { name: Args.string({ required: true, description: 'From "staff list".' }) };
  static override flags = { ...yesFlag };

  async run(): Promise<{ name: string; systemUsers: string[] }> {
    const { name } = this.args;
    const { sql } = await this.openContext();
    await this.confirmOnTerminal(`Remove ${name} from the staff?`);
    const systemUsers = await removeStaff(sql, name);
    if (systemUsers.length === 0) {
      throw notFound(`Nobody on the staff is ${name}.`);
    }
    this.say(`${name} (${systemUsers.join(', ')}) may not approve any more.`);
    return { name, systemUsers };
  }
}
