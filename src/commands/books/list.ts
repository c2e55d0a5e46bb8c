/** `books list`: operator books and their events. */
import { oneOperatorFlag } from '../../cli/flags.ts';
import { operatorList } from '../../cli/operator-command.ts';
import { columnsOf, elastic, ranked } from '../../cli/terminal/table.ts';
import { listBooks, type OperatorBook } from '../../embed/operator-books.ts';
import { getOperator } from '../../operators/operators.ts';

export default operatorList({
  hidden: true,
  summary: 'List operator books.',
  examples: ['', '--operator demo --output csv'],
  flags: oneOperatorFlag,
  read: async (sql, { operator }) =>
    listBooks(sql, operator === undefined ? null : (await getOperator(sql, operator)).operatorId),
  items: 'books',
  columns: ranked<OperatorBook>(
    ['operatorBookId', 'name', 'eventIds', 'createdAt'],
    [
      // an integrator needs the whole id for "embed-sessions mint", and cannot list books with a key
      { name: 'operatorBookId', whole: true, value: (book) => book.operatorBookId },
      ...elastic<OperatorBook>(['name', 'eventIds'], columnsOf('operatorId', 'name', 'eventIds', 'createdAt')),
    ],
  ),
  none: 'No operator books. "inlay books create" creates one.',
});
