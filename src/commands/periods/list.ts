/** `periods list`: the closed accounting periods of one operator or of all. Reads only. */

import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { fromText, renderPeriod, type ShownPeriod } from '../../cli/print/print-books.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { listPeriods } from '../../ledger/periods.ts';
import { getOperator } from '../../operators/operators.ts';

export default class PeriodsList extends OperatorCommand<typeof PeriodsList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the closed accounting periods, oldest first.';
  static override examples = ['<%= config.bin %> <%= command.id %> --operator demo'];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ helpValue: 'SLUG', summary: 'Slug or id of an operator; by default all.' }),
  };

  async run(): Promise<{ periods: ShownPeriod[]; count: number }> {
    const { sql } = await this.openContext();
    const { operator } = this.flags;
    const operatorId = operator === undefined ? null : (await getOperator(sql, operator)).operatorId;
    const periods = (await listPeriods(sql, operatorId)).map(renderPeriod);
    await this.printList(
      periods,
      [
        { name: 'slug', title: 'operator', value: (row) => row.slug },
        { name: 'period', value: (row) => row.period, align: 'right' },
        { name: 'from', value: (row) => fromText(row.from), raw: (row) => row.from },
        { name: 'to', value: (row) => row.to },
        { name: 'throughSequence', title: 'through item', value: (row) => row.throughSequence, align: 'right' },
        { name: 'closedBy', value: (row) => row.closedBy },
        { name: 'closedAt', value: (row) => row.closedAt },
        { name: 'operatorId', value: (row) => row.operatorId, csvOnly: true },
      ],
      'No period was closed.',
    );
    return { periods, count: periods.length };
  }
}
