/** `webhooks remove`: removes an endpoint permanently and frees its place among the ten. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { operatorText } from '../../cli/questions.ts';
import { getOperator } from '../../operators/operators.ts';
import { createEndpointAdmin, getEndpoint, removeEndpoint } from '../../webhooks/endpoints.ts';

export default class WebhooksRemove extends OperatorCommand<typeof WebhooksRemove> {
  static override summary = 'Remove an endpoint permanently.';
  static override description = 'Its pending deliveries are given up. Its deliveries and attempts remain readable.';
  static override examples = ['<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = { endpoint: Args.string({ required: true, description: 'Endpoint id.' }) };
  static override flags = { ...yesFlag };

  async run(): Promise<{ endpointId: string; removed: true }> {
    const admin = await createEndpointAdmin(await this.openContext());
    const { endpointId, operatorId, url } = await getEndpoint(admin.sql, this.args.endpoint);
    const operator = await getOperator(admin.sql, operatorId);
    await this.confirm(`Remove ${url} of ${operatorText(operator)} and give up its pending deliveries?`);
    await removeEndpoint(admin, endpointId);
    this.say(`${endpointId} is removed.`);
    return { endpointId, removed: true };
  }
}
