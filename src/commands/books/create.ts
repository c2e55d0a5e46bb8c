/** `books create`: a named list of events that embed sessions of an operator can be bound to. */
import { Flags } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { insertBook } from '../../embed/operator-books.ts';
import { findNamedEvents } from '../../markets/named-events.ts';
import { getOperator } from '../../operators/create-operator.ts';

interface Created {
  readonly operatorBookId: string;
  readonly name: string;
  readonly eventIds: readonly string[];
}

export default class Create extends OperatorCommand<typeof Create> {
  static override summary = 'Create an operator book.';
  static override description =
    'Sessions are bound to it only while the operator has the capability (operators update SLUG --operator-books).';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --name "House specials" --event evt_1 --event evt_2',
  ];
  static override flags = {
    operator: Flags.string({ required: true, summary: 'Slug of the operator.' }),
    name: Flags.string({ required: true, summary: 'What people call it.' }),
    event: Flags.string({ required: true, multiple: true, summary: 'Event id or slug; repeat it.' }),
  };

  async run(): Promise<Created> {
    const { sql } = await this.openContext();
    const operator = await getOperator(sql, this.flags.operator);
    const eventIds = await findNamedEvents(sql, this.flags.event);
    const book = await insertBook(sql, operator.operatorId, this.flags.name, eventIds);
    if (!operator.operatorBookEnabled) {
      this.note(
        `${operator.slug} does not have the capability yet: operators update ${operator.slug} --operator-books`,
      );
    }
    const created = { operatorBookId: book.operatorBookId, name: book.name, eventIds: book.eventIds };
    this.printFacts(created);
    return created;
  }
}
