/** `keys revoke`: the key is refused from its next request on, permanently. */
import { keyArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { keyText, operatorText } from '../../cli/questions.ts';
import { getKey, revokeKey } from '../../operators/keys.ts';
import { getOperator } from '../../operators/operators.ts';

export default operatorChange({
  summary: 'Revoke an API key permanently.',
  examples: ['key_0197f1c2 --yes'],
  ids: { keyId: 'key' },
  args: keyArgument,
  question: async ({ sql }, { keyId }) => {
    const key = await getKey(sql, keyId);
    const operator = await getOperator(sql, key.operatorId);
    return `Revoke ${keyText(key)} of ${operatorText(operator)}? Its requests are refused at once, and its sessions end.`;
  },
  change: ({ sql }, { keyId }) => revokeKey(sql, keyId),
  say: ({ keyId, prefix, revokedAt }) => `${keyId} (${prefix}...): revoked at ${revokedAt?.toISOString()}`,
});
