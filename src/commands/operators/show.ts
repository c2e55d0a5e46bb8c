/** `operators show`: one tenant with all its settings and its collateral. */
import { operatorArgument } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { collateralFacts, operatorFacts } from '../../cli/print/print-operator.ts';
import { readCollateralStatement } from '../../ledger/collateral.ts';
import type { Operator } from '../../operators/operator.ts';
import { getOperator } from '../../operators/operators.ts';
import type { Collateral } from '../../wire/reconciliation.ts';

const MOVEMENTS = 5;

export default class Show extends OperatorCommand<typeof Show> {
  static override withKey = 'whoami';
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show an operator: its settings, its collateral and the latest movements.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lucky-casino',
    '<%= config.bin %> <%= command.id %> op_0197 --json',
  ];
  static override args = operatorArgument;

  async run(): Promise<Operator & { collateral: Collateral }> {
    const { sql } = await this.openContext();
    const operator = await getOperator(sql, this.args.slug);
    const collateral = await readCollateralStatement(sql, operator.operatorId, MOVEMENTS);
    this.printFacts({ ...operatorFacts(operator), ...collateralFacts(collateral) });
    return { ...operator, collateral };
  }
}
