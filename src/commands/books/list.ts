/** `books list`: operator books and their events. */

import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { columnsOf, elastic, listFlags, ranked } from '../../cli/terminal/table.ts';
import { listBooks, type OperatorBook } from '../../embed/operator-books.ts';
import { getOperator } from '../../operators/operators.ts';

export default class List extends OperatorCommand<typeof List> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List operator books.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --operator demo --output csv',
  ];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ helpValue: 'SLUG', summary: 'Slug of an operator; by default all.' }),
  };

  async run(): Promise<{ books: OperatorBook[]; count: number }> {
    const { sql } = await this.openContext();
    const { operator } = this.flags;
    const operatorId = operator === undefined ? null : (await getOperator(sql, operator)).operatorId;
    const books = await listBooks(sql, operatorId);
    await this.printList(
      books,
      ranked(
        ['operatorBookId', 'name', 'eventIds', 'createdAt'],
        [
          // integrators get it from here, for "embed-sessions mint", and their key cannot list books
          { name: 'operatorBookId', whole: true, value: (book) => book.operatorBookId },
          ...elastic<OperatorBook>(['name', 'eventIds'], columnsOf('operatorId', 'name', 'eventIds', 'createdAt')),
        ],
      ),
      'No operator books. "inlay books create" creates one.',
    );
    return { books, count: books.length };
  }
}
