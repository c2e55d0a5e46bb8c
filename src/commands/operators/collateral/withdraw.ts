/** `operators collateral withdraw`: withdraws collateral that is not committed. */

import { Args } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { CENTS_OR_DOLLARS, operatorArgument, readCents } from '../../../cli/flags.ts';
import {
  checkReference,
  movementFlags,
  moveOperatorCollateral,
  type PrintedMovement,
} from '../../../cli/operator-collateral.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { dollars, operatorText } from '../../../cli/questions.ts';
import { readMomentParameter } from '../../../core/moment.ts';
import { withThousands } from '../../../core/plain-words.ts';
import { readCollateralStatement } from '../../../ledger/collateral.ts';
import { formatMinor } from '../../../money/usd.ts';
import { getOperator } from '../../../operators/operators.ts';

export default class Withdraw extends OperatorCommand<typeof Withdraw> {
  static override summary = 'Withdraw collateral of an operator that is not committed to orders.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lucky-live 5000000 --reference "wire 2026-05-04" --yes',
  ];
  static override args = {
    ...operatorArgument,
    cents: Args.string({ required: true, description: `Amount ${CENTS_OR_DOLLARS}.` }),
  };
  static override flags = { ...movementFlags, ...yesFlag };

  protected override readonly asksAboutSum = true;

  async run(): Promise<PrintedMovement> {
    checkReference(this.flags.reference);
    const { reference = null, effective } = this.flags;
    const amountMinor = readCents(this.args.cents);
    const { sql } = await this.openContext();
    const operator = await getOperator(sql, this.args.slug);
    const { operatorId, slug } = operator;
    await this.confirm(async () => {
      const { available } = await readCollateralStatement(sql, operatorId, 1);
      return `Withdraw ${dollars(amountMinor)} USD of ${operatorText(operator)}? ${withThousands(available)} are available.`;
    });
    await this.expectNoApproval(
      {
        kind: 'collateral_withdrawal',
        operatorId,
        amountMinor: amountMinor.toString(),
        reference,
        effectiveAt: readMomentParameter('effective', effective)?.toISOString() ?? null,
      },
      `withdraw ${formatMinor(amountMinor)} of ${slug}${reference === null ? '' : `, reference ${reference}`}`,
    );
    const moved = await moveOperatorCollateral(sql, this.args.slug, 'withdrawal', amountMinor, this.flags);
    this.printFacts({ ...moved });
    return moved;
  }
}
