/** `customers show`: facts about a customer for support, on one page. */
import { Flags } from '@oclif/core';
import { Failure } from '../../cli/failure.ts';
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { customerFacts, drawChanges, drawOrders, drawPositions, drawSessions } from '../../cli/print/print-customer.ts';
import { type CustomerPage, readCustomerPage } from '../../cli/service/customer-page.ts';
import { printableValue } from '../../cli/terminal/printable.ts';
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import { type FoundCustomer, findCustomers } from '../../operators/customers.ts';
import { getOperator } from '../../operators/operators.ts';

export default class Show extends OperatorCommand<typeof Show> {
  static override withKey = 'orders list --user USER';
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show a customer: money, limits, place, trades, sessions, and who changed what.';
  static override description =
    'Open positions come first, then the newest of the others; orders and changes are newest first. A change of limits or of the place shows the API key of the request ("keys list" lists the keys), a suspension shows the login of the audit log. "orders lookup" shows everything about an order.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> player-17',
    '<%= config.bin %> <%= command.id %> player-17 --operator lucky-casino --json',
  ];
  static override args = customerArgument;
  static override flags = {
    ...customerAsFlag,
    operator: Flags.string({
      helpValue: 'SLUG',
      summary: 'Slug or id of the operator; needed if several operators have this customer.',
    }),
    limit: Flags.integer({
      helpValue: 'N',
      default: 10,
      min: 1,
      max: 1_000,
      summary: 'Largest number of orders, of positions, and of changes.',
    }),
  };

  async run(): Promise<CustomerPage> {
    const user = readCustomer(this.args.user, this.flags.user);
    const { sql } = await this.openContext();
    const page = await readCustomerPage(sql, await this.findOne(sql, user), this.flags.limit);
    const shown = printableValue(page);
    this.printFacts(customerFacts(shown));
    const section = (title: string, lines: readonly string[]) => {
      this.say(`\n${this.paint('bold', title)}${lines.length === 0 ? ': none' : ''}`);
      for (const line of lines) {
        this.say(line);
      }
    };
    section('Positions', drawPositions(shown, this.paint));
    section('Orders', drawOrders(shown, this.paint));
    section('Sessions of the frame', drawSessions(shown));
    section('Changes', drawChanges(shown));
    return page;
  }

  private async findOne(sql: Sql, user: string): Promise<FoundCustomer> {
    const { operator } = this.flags;
    const operatorId = operator === undefined ? null : (await getOperator(sql, operator)).operatorId;
    const found = await findCustomers(sql, user, operatorId);
    const [customer, ...others] = found;
    if (customer === undefined) {
      throw refuse('unknown_user', `No customer has the id ${user}.`);
    }
    if (others.length > 0) {
      const slugs = found.map((one) => one.operator);
      throw new Failure('ambiguous_reference', `Several operators have a customer ${user}: ${slugs.join(', ')}.`, {
        exitCode: 2,
        next: 'Name one with --operator.',
        extra: { operators: slugs },
      });
    }
    return customer;
  }
}
