/** `webhooks enable`: sends events to a disabled endpoint again. */
import { Args } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { createEndpointAdmin, type Endpoint, enableEndpoint, publicEndpoint } from '../../webhooks/endpoints.ts';

export default class WebhooksEnable extends OperatorCommand<typeof WebhooksEnable> {
  static override summary = 'Send events to a disabled endpoint again.';
  static override description =
    'It gets the events that are emitted from now on, and those that were queued before it was disabled. Its destination is checked again.';
  static override examples = ['<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60'];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = { endpoint: Args.string({ required: true, description: 'Endpoint id.' }) };

  async run(): Promise<Endpoint> {
    const admin = await createEndpointAdmin(await this.openContext());
    const endpoint = publicEndpoint(await enableEndpoint(admin, this.args.endpoint));
    this.say(`${endpoint.endpointId} is enabled.`);
    return endpoint;
  }
}
