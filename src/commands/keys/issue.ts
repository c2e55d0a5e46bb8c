/** `keys issue`: a new API key, shown only once. */
import { Flags } from '@oclif/core';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { momentFlag } from '../../cli/times.ts';
import { readMoment } from '../../core/moment.ts';
import { canMint, type IssuedKey, issueKey, SCOPES } from '../../operators/keys.ts';
import { getOperator } from '../../operators/operators.ts';

type Issued = Pick<IssuedKey, 'keyId' | 'prefix' | 'apiKey' | 'scopes'>;

export default class Issue extends OperatorCommand<typeof Issue> {
  static override summary = 'Issue an API key. It is shown once; only its hash is stored.';
  static override description =
    `Scopes: ${SCOPES.join(', ')}. Without --scope the key gets the first eight. Minting an embed session needs markets:read, quotes:write and orders:write together, or only embed_sessions:mint. A session may do more than the key that minted it: it trades for its customer and reads that customer's orders and positions, whatever the key's other scopes are.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-casino',
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --scope markets:read --scope orders:read --label reports --rate-limit 60',
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --expires 2027-01-01 --allow-address 203.0.113.0/24',
  ];
  static override flags = {
    ...operatorFlag,
    scope: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'SCOPE',
      summary: 'Scope of the key; repeatable; by default the first eight.',
    }),
    'rate-limit': Flags.integer({
      helpValue: 'N',
      summary: 'Requests per minute, 1 to 6000; by default 120 for a sandbox operator, 600 for a live one.',
    }),
    label: Flags.string({ helpValue: 'TEXT', summary: 'Purpose of the key; "keys list" shows it.' }),
    expires: momentFlag({ summary: 'Time from which the key is refused; by default it does not expire.' }),
    'allow-address': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'CIDR',
      summary: 'Address or range from which the key is accepted; repeatable; by default all.',
    }),
  };

  async run(): Promise<Issued> {
    const { sql } = await this.openContext();
    const { scope: scopes, 'rate-limit': rateLimit, label, expires, 'allow-address': allowedAddresses } = this.flags;
    const expiresAt = expires === undefined ? undefined : readMoment(expires);
    const operator = await getOperator(sql, this.flags.operator);
    const {
      keyId,
      prefix,
      apiKey,
      scopes: granted,
    } = await issueKey(sql, operator, {
      scopes,
      rateLimit,
      label,
      expiresAt,
      allowedAddresses,
    });
    const issued = { keyId, prefix, apiKey, scopes: granted };
    this.printFacts(issued);
    if (canMint(granted)) {
      this.note(
        'This key can mint embed sessions. A session can trade for its customer and read all data of that customer, whatever the scopes of the key.',
      );
    }
    this.note('Store the key now: it is not shown again.');
    return issued;
  }
}
