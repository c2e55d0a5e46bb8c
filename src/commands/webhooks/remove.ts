/** `webhooks remove`: removes an endpoint permanently and frees its place among the ten. */
import { endpointArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { endpointText } from '../../cli/questions.ts';
import { createEndpointAdmin, removeEndpoint } from '../../webhooks/endpoints.ts';

export default operatorChange({
  hidden: true,
  summary: 'Remove an endpoint permanently.',
  description: 'Pending deliveries of the endpoint are given up. The log of its deliveries can still be read.',
  examples: ['whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'],
  ids: { endpoint: 'endpoint' },
  args: endpointArgument,
  question: async ({ sql }, { endpoint }) =>
    `Remove ${await endpointText(sql, endpoint)} and give up its pending deliveries?`,
  change: async (context, { endpoint }) => ({
    ...(await removeEndpoint(await createEndpointAdmin(context), endpoint)),
    removed: true,
  }),
  say: ({ endpointId }) => `${endpointId} is removed.`,
});
