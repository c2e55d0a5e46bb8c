/** `webhooks enable`: sends events to a disabled endpoint again. */
import { endpointArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { createEndpointAdmin, enableEndpoint, publicEndpoint } from '../../webhooks/endpoints.ts';

export default operatorChange({
  hidden: true,
  summary: 'Send events to a disabled endpoint again.',
  description:
    'The endpoint receives the events that are emitted from now on, and those that were queued before it was disabled. Its URL is checked again.',
  examples: ['whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60'],
  ids: { endpoint: 'endpoint' },
  args: endpointArgument,
  change: async (context, { endpoint }) =>
    publicEndpoint(await enableEndpoint(await createEndpointAdmin(context), endpoint)),
  say: ({ endpointId }) => `${endpointId} is enabled.`,
});
