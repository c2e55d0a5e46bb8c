/** `ledger months list`: in which months feed and ledger are kept, and what each stores. Reads only. */
import { OperatorCommand, reading } from '../../../cli/operator-command.ts';
import { listFlags } from '../../../cli/terminal/output.ts';
import { type FactMonth, listFactMonths } from '../../../operations/fact-months/fact-months.ts';

export default class LedgerMonthsList extends OperatorCommand<typeof LedgerMonthsList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the months in which feed and ledger are kept, oldest first.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = listFlags;

  async run(): Promise<{ months: FactMonth[]; count: number }> {
    const { sql } = await this.openContext();
    const months = await listFactMonths(sql);
    await this.printList(months, [
      { name: 'month', value: (row) => row.month ?? 'before the first month' },
      { name: 'feedBytes', title: 'feed, bytes', value: (row) => row.feedBytes, align: 'right' },
      { name: 'ledgerBytes', title: 'ledger, bytes', value: (row) => row.ledgerBytes, align: 'right' },
      { name: 'eventBytes', title: 'old event data, bytes', value: (row) => row.eventBytes, align: 'right' },
      { name: 'tablespaces', title: 'stored in', value: (row) => row.tablespaces.map(placeName).join(', ') },
    ]);
    return { months, count: months.length };
  }
}

function placeName(tablespace: string): string {
  return tablespace === 'pg_default' ? 'the main disk' : tablespace;
}
