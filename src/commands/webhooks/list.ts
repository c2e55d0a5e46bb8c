/** `webhooks list`: endpoints and their state, without secrets. */
import { oneOperatorFlag } from '../../cli/flags.ts';
import { operatorList } from '../../cli/operator-command.ts';
import { columnsOf, elastic, numeric, ranked } from '../../cli/terminal/table.ts';
import { getOperator } from '../../operators/operators.ts';
import { type Endpoint, listEndpoints, publicEndpoint } from '../../webhooks/endpoints.ts';

export default operatorList({
  summary: 'List webhook endpoints.',
  withKey: 'api GET /webhook-endpoints',
  examples: ['', '--operator demo --output csv'],
  flags: oneOperatorFlag,
  read: async (sql, { operator }) => {
    const operatorId = operator === undefined ? undefined : (await getOperator(sql, operator)).operatorId;
    return (await listEndpoints(sql, { operatorId })).map(publicEndpoint);
  },
  items: 'endpoints',
  columns: ranked<Endpoint>(
    ['endpointId', 'active', 'url', 'delivered', 'failed', 'disabledReason', 'pausedUntil', 'events'],
    numeric(
      ['delivered', 'failed'],
      elastic(
        ['events', 'disabledReason'],
        [
          ...columnsOf<Endpoint>('endpointId'),
          // the URLs of two endpoints may differ only at their end
          { name: 'url', mayStandBelow: true, value: ({ url }) => url },
          ...columnsOf<Endpoint>('events', 'active', 'disabledReason', 'delivered', 'failed', 'pausedUntil'),
        ],
      ),
    ),
  ),
  none: 'No webhook endpoints. "inlay webhooks add" registers one.',
});
