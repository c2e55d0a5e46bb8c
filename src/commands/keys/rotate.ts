/** `keys rotate`: a new key with the same rights; the old one stays valid for its grace period. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { keyArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { keyText, operatorText } from '../../cli/questions.ts';
import { getKey, type IssuedKey, rotateKey } from '../../operators/keys.ts';
import { getOperator } from '../../operators/operators.ts';

type Rotated = Pick<IssuedKey, 'keyId' | 'prefix' | 'apiKey' | 'scopes'> & {
  readonly previousKeyId: string;
  readonly previousRevokedAt: Date;
};

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_GRACE_S = 90 * 86_400;

const duration = Flags.custom<number>({
  helpValue: 'DURATION',
  parse: async (text) => {
    const [, digits, unit = 's'] = /^(\d{1,7})([smhd])?$/.exec(text) ?? [];
    const seconds = Number(digits) * (SECONDS[unit] ?? 1);
    if (digits === undefined || seconds > LONGEST_GRACE_S) {
      throw usage(`${text} is not a duration such as 30m, 24h or 7d (90d at most).`);
    }
    return seconds;
  },
});

export default class Rotate extends OperatorCommand<typeof Rotate> {
  static override summary = 'Replace an API key. The new one is shown once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> key_0197f1c2 --yes',
    '<%= config.bin %> <%= command.id %> key_0197f1c2 --grace 0 --yes',
  ];
  static override ids = { keyId: 'key' } as const;
  static override args = keyArgument;
  static override flags = {
    ...yesFlag,
    grace: duration({
      default: 86_400,
      summary: 'Time for which the old key stays valid, for example 30m, 24h or 7d.',
    }),
  };

  async run(): Promise<Rotated> {
    const { sql } = await this.openContext();
    const { grace } = this.flags;
    const key = await getKey(sql, this.args.keyId);
    const operator = await getOperator(sql, key.operatorId);
    await this.confirm(
      `Replace ${keyText(key)} of ${operatorText(operator)}? The old key is refused ${grace === 0 ? 'at once' : `from ${new Date(Date.now() + grace * 1_000).toISOString()} on`}.`,
    );
    const made = await rotateKey(sql, key.keyId, grace);
    const { keyId, prefix, apiKey, scopes, previousKeyId, previousRevokedAt } = made;
    const rotated = { keyId, prefix, apiKey, scopes, previousKeyId, previousRevokedAt };
    this.printFacts({ ...rotated, previousRevokedAt: previousRevokedAt.toISOString() });
    this.note('Store the new key now: it is not shown again.');
    return rotated;
  }
}
