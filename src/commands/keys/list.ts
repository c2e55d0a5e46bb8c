/** `keys list`: the keys of an operator by their prefixes. */
import { operatorFlag } from '../../cli/flags.ts';
import { operatorList } from '../../cli/operator-command.ts';
import { columnsOf, elastic, numeric, ranked } from '../../cli/terminal/table.ts';
import { listApiKeys, type UsedApiKey } from '../../operators/keys.ts';
import { getOperator } from '../../operators/operators.ts';

export default operatorList({
  withKey: 'whoami',
  summary: 'List the API keys of an operator, including revoked ones.',
  examples: ['--operator lucky-casino'],
  flags: operatorFlag,
  read: async (sql, { operator }) => listApiKeys(sql, (await getOperator(sql, operator)).operatorId),
  items: 'keys',
  columns: ranked<UsedApiKey>(
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
  none: 'No keys yet: inlay keys issue --operator SLUG',
});
