/** `staff add`: says which user of the system a person is. Only a person of the staff approves. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { isReference } from '../../core/reference.ts';
import { addStaff } from '../../operators/approvals.ts';

export default class StaffAdd extends OperatorCommand<typeof StaffAdd> {
  static override summary = 'Add a person to the staff, or another user of the system to a person.';
  static override description =
    'Approvals go by the user of the system: the one who logged in, or the one who runs the command where no login is known. Users with the same name here are one person, who cannot approve what any of them asked for. Whoever is not on the staff approves nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Ann Lee" --system-user ann',
    '<%= config.bin %> <%= command.id %> "Ann Lee" --system-user alee',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name of the person.' }) };
  static override flags = {
    'system-user': Flags.string({
      required: true,
      helpValue: 'NAME',
      summary: 'User of the system that this person is.',
    }),
  };

  async run(): Promise<{ name: string; systemUser: string }> {
    const { name } = this.args;
    const systemUser = this.flags['system-user'];
    if (!isReference(name) || !isReference(systemUser)) {
      throw usage('A name and a user of the system have 1 to 200 printable characters.');
    }
    const { sql } = await this.openContext();
    await addStaff(sql, name, systemUser, this.who);
    this.say(`${name} is ${systemUser} on this system, and may approve what others ask for.`);
    return { name, systemUser };
  }
}
