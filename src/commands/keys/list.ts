/** `keys list`: the keys of an operator by their prefixes. */
import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { columnsOf, elastic, listFlags, numeric, ranked } from '../../cli/terminal/table.ts';
import { listApiKeys, type UsedApiKey } from '../../operators/keys.ts';
import { getOperator } from '../../operators/operators.ts';

export default class List extends OperatorCommand<typeof List> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the API keys of an operator, including revoked ones.';
  static override examples = ['<%= config.bin %> <%= command.id %> --operator lucky-casino'];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ required: true, helpValue: 'SLUG', summary: 'Slug or id of the operator.' }),
  };

  async run(): Promise<{ keys: UsedApiKey[]; count: number }> {
    const { sql } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const keys = await listApiKeys(sql, operatorId);
    await this.printList(
      keys,
      ranked(
        ['keyId', 'label', 'prefix', 'revokedAt', 'lastUsedAt', 'expiresAt', 'scopes'],
        elastic(
          ['label', 'scopes'],
          numeric(
            ['rateLimit'],
            columnsOf(
              ...['keyId', 'prefix', 'label', 'rateLimit', 'scopes', 'createdAt', 'expiresAt', 'revokedAt'],
              ...['allowedAddresses', 'lastUsedAt', 'lastAddress'],
            ),
          ),
        ),
      ),
      'No keys yet: inlay keys issue --operator SLUG',
    );
    return { keys, count: keys.length };
  }
}
