/** `operators collateral deposit`: adds collateral for live orders. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { CENTS_OR_DOLLARS, operatorArgument, readCents } from '../../../cli/flags.ts';
import { movementFlags, moveOperatorCollateral, type PrintedMovement } from '../../../cli/operator-collateral.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';

export default class Deposit extends OperatorCommand<typeof Deposit> {
  static override summary = 'Deposit collateral for live orders of an operator.';
  static override examples = ['<%= config.bin %> <%= command.id %> lucky-live 5000000 --reference "wire 2026-05-03"'];
  static override flags = { ...movementFlags, ...yesFlag };
  static override args = {
    ...operatorArgument,
    cents: Args.string({ required: true, description: `Amount ${CENTS_OR_DOLLARS}.` }),
  };

  async run(): Promise<PrintedMovement> {
    const { sql } = await this.openContext();
    const moved = await moveOperatorCollateral(sql, this.args.slug, 'deposit', readCents(this.args.cents), this.flags);
    this.printFacts({ ...moved });
    return moved;
  }
}
