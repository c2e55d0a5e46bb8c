/** `keys revoke`: the key is refused from its next request on, permanently. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { keyText, operatorText } from '../../cli/questions.ts';
import { type ApiKey, getKey, revokeKey } from '../../operators/keys.ts';
import { getOperator } from '../../operators/operators.ts';

export default class Revoke extends OperatorCommand<typeof Revoke> {
  static override summary = 'Revoke an API key permanently.';
  static override examples = ['<%= config.bin %> <%= command.id %> key_0197f1c2 --yes'];
  static override ids = { keyId: 'key' } as const;
  static override args = { keyId: Args.string({ required: true, description: 'From "keys list".' }) };
  static override flags = yesFlag;

  async run(): Promise<ApiKey> {
    const { sql } = await this.openContext();
    const found = await getKey(sql, this.args.keyId);
    const operator = await getOperator(sql, found.operatorId);
    await this.confirm(
      `Revoke ${keyText(found)} of ${operatorText(operator)}? Its requests are refused at once, and its sessions end.`,
    );
    const key = await revokeKey(sql, found.keyId);
    this.say(`${key.keyId} (${key.prefix}...): revoked at ${key.revokedAt?.toISOString()}`);
    return key;
  }
}
