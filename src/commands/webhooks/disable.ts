/** `webhooks disable`: stops sending events to an endpoint. */
import { endpointArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { endpointText } from '../../cli/questions.ts';
import { createEndpointAdmin, disableEndpoint, publicEndpoint } from '../../webhooks/endpoints.ts';

export default operatorChange({
  hidden: true,
  summary: 'Stop sending events to an endpoint.',
  description:
    'Events that are emitted while the endpoint is disabled are not queued for it. Deliveries that were queued before are kept until it is enabled.',
  examples: ['whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'],
  ids: { endpoint: 'endpoint' },
  args: endpointArgument,
  question: async ({ sql }, { endpoint }) =>
    `Stop sending to ${await endpointText(sql, endpoint)}? Events are not queued for it until it is enabled.`,
  change: async (context, { endpoint }) =>
    publicEndpoint(await disableEndpoint(await createEndpointAdmin(context), endpoint)),
  say: ({ endpointId }) => `${endpointId} is disabled.`,
});
