/** `books create`: a named list of events that embed sessions of an operator can be bound to. */
import { Flags } from '@oclif/core';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { insertBook } from '../../embed/operator-books.ts';
import { findNamedEvents } from '../../markets/catalogue/names.ts';
import { changeOperator, getOperator } from '../../operators/operators.ts';

interface Created {
  readonly operatorBookId: string;
  readonly name: string;
  readonly eventIds: readonly string[];
}

export default class Create extends OperatorCommand<typeof Create> {
  static override hidden = true;
  static override summary = 'Create an operator book.';
  static override description =
    'The operator may then bind sessions to books; "operators update SLUG --no-operator-books" forbids it again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --name "House specials" --event evt_1 --event evt_2',
  ];
  static override ids = { event: 'event' } as const;
  static override flags = {
    ...operatorFlag,
    name: Flags.string({ helpValue: 'NAME', required: true, summary: 'Display name of the book.' }),
    event: Flags.string({
      helpValue: 'EVENT',
      required: true,
      multiple: true,
      summary: 'Event id or slug; repeatable.',
    }),
  };

  async run(): Promise<Created> {
    const { sql } = await this.openContext();
    const operator = await getOperator(sql, this.flags.operator);
    const eventIds = await findNamedEvents(sql, this.flags.event);
    const book = await insertBook(sql, operator.operatorId, this.flags.name, eventIds);
    if (!operator.operatorBookEnabled) {
      await changeOperator(sql, operator.operatorId, { operatorBookEnabled: true });
      this.note(`From now on sessions of ${operator.slug} can be bound to operator books.`);
    }
    const created = { operatorBookId: book.operatorBookId, name: book.name, eventIds: book.eventIds };
    this.printFacts(created);
    return created;
  }
}
