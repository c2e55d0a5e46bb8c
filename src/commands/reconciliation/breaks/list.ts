/** `reconciliation breaks list`: what statements of banks and venues show and our books do not, and the reverse. Reads only. */

import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../../cli/operator-command.ts';
import { BREAK_COLUMNS, renderBreak, type ShownBreak } from '../../../cli/print/print-break.ts';
import { elastic, listFlags } from '../../../cli/terminal/output.ts';
import { getOperator } from '../../../operators/create-operator.ts';
import { listBreaks } from '../../../reconciliation/outside/outside-statements.ts';

export default class BreaksList extends OperatorCommand<typeof BreaksList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List open breaks between statements from outside and our books, oldest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-live',
    '<%= config.bin %> <%= command.id %> --all --output csv',
  ];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ summary: 'Slug or id of an operator; by default all accounts.', exclusive: ['venue'] }),
    venue: Flags.string({ summary: 'Name of a venue.' }),
    all: Flags.boolean({ default: false, summary: 'Also those that were closed.' }),
  };

  async run(): Promise<{ breaks: ShownBreak[]; count: number }> {
    const { sql } = await this.openContext();
    const { operator, venue, all } = this.flags;
    const account = operator === undefined ? venue : (await getOperator(sql, operator)).operatorId;
    const breaks = (await listBreaks(sql, { account, all })).map(renderBreak);
    await this.printList(breaks, elastic(['reference'], BREAK_COLUMNS), 'No break is open.');
    return { breaks, count: breaks.length };
  }
}
