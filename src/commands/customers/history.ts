/** `customers history`: who set the limits and the jurisdiction of a customer or suspended the customer, and when. */
import { customerOfOperatorFlag, limitFlag, operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { type Column, columnsOf, listFlags, numeric } from '../../cli/terminal/table.ts';
import { refuse } from '../../core/errors.ts';
import { formatMinor } from '../../money/usd.ts';
import { listCustomers } from '../../operators/customers.ts';
import { getOperator } from '../../operators/operators.ts';
import { type CustomerChange, listCustomerChanges } from '../../risk/customer-limits.ts';

export default class History extends OperatorCommand<typeof History> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show who changed limits, place and status of a customer, and when.';
  static override description =
    'Newest first. setBy is the id of the API key of the request ("keys list" shows it), for a suspension the login in the audit log. The history is append-only.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --user player-17',
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --user player-17 --output csv',
  ];
  static override flags = {
    ...listFlags,
    ...operatorFlag,
    ...customerOfOperatorFlag,
    ...limitFlag(500),
  };

  async run(): Promise<{ changes: CustomerChange[]; count: number }> {
    const { sql } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const [customer] = await listCustomers(sql, operatorId, { externalUserId: this.flags.user, limit: 1 });
    if (customer === undefined) {
      throw refuse('unknown_user');
    }
    const changes = await listCustomerChanges(sql, operatorId, this.flags.user, this.flags.limit);
    const limits: Column<CustomerChange>[] = [
      ...(['maxWagerMinor', 'periodStakeMinor'] as const).map((name) => ({
        name,
        title: name === 'maxWagerMinor' ? 'largest wager' : 'stakes in a period',
        align: 'right' as const,
        value: ({ [name]: cents }: CustomerChange) => (cents === null ? null : formatMinor(BigInt(cents))),
        raw: ({ [name]: cents }: CustomerChange) => cents,
      })),
      ...numeric(['periodHours'], columnsOf<CustomerChange>('periodHours', 'note')),
    ];
    const place = columnsOf<CustomerChange>('country', 'subdivision', 'source');
    const head = columnsOf<CustomerChange>('recordedAt', 'subject', 'action');
    await this.printList(
      changes,
      [...head, ...limits, ...place, ...columnsOf<CustomerChange>('setBy')],
      'Nothing has been set.',
    );
    return { changes, count: changes.length };
  }
}
