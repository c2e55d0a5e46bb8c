/** `staff list`: the people who may approve, with their users of the system. Reads only. */
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { listStaff, type StaffUser } from '../../operators/approvals.ts';

export default class StaffList extends OperatorCommand<typeof StaffList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the staff: who may approve, and as which users of the system.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = { ...listFlags };

  async run(): Promise<{ staff: StaffUser[]; count: number }> {
    const { sql } = await this.openContext();
    const staff = await listStaff(sql);
    await this.printList(
      staff,
      [
        { name: 'name', value: (row) => row.name },
        { name: 'systemUser', value: (row) => row.systemUser },
        { name: 'addedBy', value: (row) => row.addedBy },
        { name: 'addedAt', value: (row) => row.addedAt },
      ],
      'Nobody is on the staff, so nobody can approve.',
    );
    return { staff, count: staff.length };
  }
}
