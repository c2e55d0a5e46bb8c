/** `operators create`: a new operator. `keys issue` issues its keys. */
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { countryWarnings } from '../../cli/country-warnings.ts';
import { usage } from '../../cli/failure.ts';
import { readCents } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { createFlags, settingsOf } from '../../cli/operator-flags.ts';
import { refuse } from '../../core/errors.ts';
import { setCollateral } from '../../ledger/collateral.ts';
import { type Operator, readSlug } from '../../operators/operator.ts';
import { createOperator, findOperator } from '../../operators/operators.ts';

type Created = Pick<Operator, 'operatorId' | 'slug' | 'mode' | 'status'>;

export default class Create extends OperatorCommand<typeof Create> {
  static override summary = 'Create an operator.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lucky-casino --mode sandbox --fee-bps 200',
    '<%= config.bin %> <%= command.id %> lucky-live --mode live --name "Lucky Casino" --frame-origin https://lucky.example',
    '<%= config.bin %> <%= command.id %> lucky-live --mode live --execution-confirmed --collateral 5000000',
  ];
  static override args = {
    slug: Args.string({
      required: true,
      description: 'Slug of the new operator: up to 63 lower-case letters, digits and hyphens.',
    }),
  };
  static override flags = {
    mode: Flags.option({
      options: ['sandbox', 'live'] as const,
      summary: 'Mode of the operator; required. It cannot change once the operator has keys or customers.',
    })(),
    ...createFlags,
    ...yesFlag,
  };

  async run(): Promise<Created> {
    const { collateral, mode: asked } = this.flags;
    const wanted = readSlug(this.args.slug);
    const collateralMinor = collateral === undefined ? 0n : readCents(collateral, 0n);
    const { sql } = await this.openContext();
    if (asked === undefined) {
      // a slug that is taken is reported first
      throw (await findOperator(sql, wanted)) === undefined
        ? usage('--mode is missing: sandbox or live.')
        : refuse('operator_exists');
    }
    const operator = await createOperator(sql, { ...settingsOf(this.flags), slug: wanted, mode: asked });
    const { operatorId, slug, mode, status } = operator;
    await setCollateral(sql, operatorId, collateralMinor);
    for (const warning of countryWarnings(this.flags['permitted-country'] ?? [])) {
      this.note(warning);
    }
    this.printFacts({ operatorId, slug, mode, status });
    this.note(`Next: inlay keys issue --operator ${slug}`);
    return { operatorId, slug, mode, status };
  }
}
