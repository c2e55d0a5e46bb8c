/** `keys revoke`: the key is refused from its next request on, permanently. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { type ApiKey, revokeKey } from '../../operators/keys.ts';

export default class Revoke extends OperatorCommand<typeof Revoke> {
  static override summary = 'Revoke an API key permanently.';
  static override examples = ['<%= config.bin %> <%= command.id %> key_0197f1c2 --yes'];
  static override ids = { keyId: 'key' } as const;
  static override args = { keyId: Args.string({ required: true, description: 'From "keys list".' }) };
  static override flags = yesFlag;

  async run(): Promise<ApiKey> {
    await this.confirm(`Revoke ${this.args.keyId}? Its requests are refused at once.`);
    const { sql } = await this.openContext();
    const key = await revokeKey(sql, this.args.keyId);
    this.say(`${key.keyId} (${key.prefix}...): revoked at ${key.revokedAt?.toISOString()}`);
    return key;
  }
}
