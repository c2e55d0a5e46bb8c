/** `operators collateral withdraw`: withdraws collateral that is not committed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { readCents } from '../../../cli/flags/numbers.ts';
import { type CollateralMovement, movementFlags, moveOperatorCollateral } from '../../../cli/operator-collateral.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';

export default class Withdraw extends OperatorCommand<typeof Withdraw> {
  static override summary = 'Withdraw free collateral of an operator.';
  static override examples = ['<%= config.bin %> <%= command.id %> lucky-live 5000000 --reference "wire 2026-05-04"'];
  static override args = {
    slug: Args.string({ required: true, description: 'Slug or id of the operator.' }),
    cents: Args.string({ required: true, description: 'Amount in cents.' }),
  };
  static override flags = { ...movementFlags, ...yesFlag };

  async run(): Promise<CollateralMovement> {
    await this.confirmOnTerminal(`Withdraw ${this.args.cents} cents of ${this.args.slug}?`);
    const { sql } = await this.openContext();
    const moved = await moveOperatorCollateral(
      sql,
      this.args.slug,
      'withdrawal',
      readCents(this.args.cents),
      this.flags,
    );
    this.printFacts({ ...moved });
    return moved;
  }
}
