/** `operators update`: changes settings of an operator, from its next request on. Settings that are not given do not change. */
import { yesFlag } from '../../cli/base-command.ts';
import { countryWarnings } from '../../cli/country-warnings.ts';
import { operatorArgument, readCents } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { settingsOf, updateFlags } from '../../cli/operator-flags.ts';
import { operatorFacts } from '../../cli/print/print-operator.ts';
import { dollars, operatorText } from '../../cli/questions.ts';
import type { Sql } from '../../db/client.ts';
import { readCollateralStatement, setCollateral } from '../../ledger/collateral.ts';
import { parseMinor } from '../../money/usd.ts';
import { listRequired } from '../../operators/approvals.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator, getOperator } from '../../operators/operators.ts';

export default class Update extends OperatorCommand<typeof Update> {
  static override summary = 'Change the settings of an operator.';
  static override description = 'The value "none" removes a ceiling.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lucky-casino --fee-bps 150 --max-order 500000',
    '<%= config.bin %> <%= command.id %> lucky-casino --no-offer-category politics',
    '<%= config.bin %> <%= command.id %> lucky-casino --period-stake 100000 --period-hours 24',
  ];
  static override args = operatorArgument;
  static override flags = { ...updateFlags, ...yesFlag };

  async run(): Promise<Operator> {
    const { collateral } = this.flags;
    const collateralMinor = collateral === undefined ? undefined : readCents(collateral, 0n);
    const { sql } = await this.openContext();
    const before = await getOperator(sql, this.args.slug);
    const { operatorId, slug } = before;
    if (collateralMinor !== undefined) {
      await this.#confirmWithdrawal(sql, before, collateralMinor);
      const mayWithdraw = !(await listRequired(sql)).includes('collateral_withdrawal');
      await setCollateral(sql, operatorId, collateralMinor, mayWithdraw);
    }
    const operator = await changeOperator(sql, slug, settingsOf(this.flags, before));
    const dropped = before.frameOrigins.filter((origin) => !operator.frameOrigins.includes(origin));
    if (dropped.length > 0) {
      this.note(`May no longer frame the embed: ${dropped.join(', ')}`);
    }
    for (const warning of countryWarnings(this.flags['permitted-country'] ?? [])) {
      this.note(warning);
    }
    this.printFacts(operatorFacts(operator));
    return operator;
  }

  /** If the wanted collateral is less than the present one, the difference is withdrawn. */
  async #confirmWithdrawal(sql: Sql, operator: Operator, wantedMinor: bigint): Promise<void> {
    const { available, committed } = await readCollateralStatement(sql, operator.operatorId, 1);
    const haveMinor = parseMinor(available) + parseMinor(committed);
    if (wantedMinor < haveMinor) {
      await this.confirm(
        `Withdraw ${dollars(haveMinor - wantedMinor)} USD of ${operatorText(operator)}? ${dollars(wantedMinor)} stay.`,
      );
    }
  }
}
