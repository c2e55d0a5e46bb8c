/** `keys issue`: a new API key, shown this once. */
import { Flags } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { getOperator } from '../../operators/create-operator.ts';
import { type IssuedKey, issueKey } from '../../operators/issue-key.ts';
import { SCOPES } from '../../operators/scopes.ts';

type Issued = Pick<IssuedKey, 'keyId' | 'prefix' | 'apiKey' | 'scopes'>;

export default class Issue extends OperatorCommand<typeof Issue> {
  static override summary = 'Issue an API key. It is shown once; only a hash is kept.';
  static override description = `Scopes: ${SCOPES.join(', ')}. Without --scope the key gets the first eight.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-casino',
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --scope markets:read --scope orders:read --label reports --rate-limit 60',
  ];
  static override flags = {
    operator: Flags.string({ required: true, helpValue: 'SLUG', summary: 'Slug or id of the operator.' }),
    scope: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'S',
      summary: 'Repeat it.',
    }),
    'rate-limit': Flags.integer({ helpValue: 'N', summary: 'Requests a minute, 1 to 6000.' }),
    label: Flags.string({ helpValue: 'L', summary: 'What the key is for.' }),
  };

  async run(): Promise<Issued> {
    const { sql } = await this.openContext();
    const { scope: scopes, 'rate-limit': rateLimit, label } = this.flags;
    const operator = await getOperator(sql, this.flags.operator);
    const { keyId, prefix, apiKey, scopes: granted } = await issueKey(sql, operator, { scopes, rateLimit, label });
    const issued = { keyId, prefix, apiKey, scopes: granted };
    this.printFacts(issued);
    this.note('Keep the key now: it is not shown again.');
    return issued;
  }
}
