/** `webhooks disable`: stops sending events to an endpoint. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { operatorText } from '../../cli/questions.ts';
import { getOperator } from '../../operators/operators.ts';
import {
  createEndpointAdmin,
  disableEndpoint,
  type Endpoint,
  getEndpoint,
  publicEndpoint,
} from '../../webhooks/endpoints.ts';

export default class WebhooksDisable extends OperatorCommand<typeof WebhooksDisable> {
  static override summary = 'Stop sending events to an endpoint.';
  static override description =
    'Events emitted while it is disabled are not queued for it; deliveries queued before are kept until it is enabled.';
  static override examples = ['<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = { endpoint: Args.string({ required: true, description: 'Endpoint id.' }) };
  static override flags = yesFlag;

  async run(): Promise<Endpoint> {
    const admin = await createEndpointAdmin(await this.openContext());
    const { endpointId, operatorId, url } = await getEndpoint(admin.sql, this.args.endpoint);
    const operator = await getOperator(admin.sql, operatorId);
    await this.confirm(
      `Stop sending to ${url} of ${operatorText(operator)}? Events are not queued for it until it is enabled.`,
    );
    const endpoint = publicEndpoint(await disableEndpoint(admin, endpointId));
    this.say(`${endpoint.endpointId} is disabled.`);
    return endpoint;
  }
}
