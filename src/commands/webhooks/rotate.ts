/** `webhooks rotate`: a new signing secret, valid at once and shown only once. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { operatorText } from '../../cli/questions.ts';
import { getOperator } from '../../operators/operators.ts';
import { createEndpointAdmin, getEndpoint, rotateSecret } from '../../webhooks/endpoints.ts';

interface Rotated {
  readonly endpointId: string;
  readonly secret: string;
}

export default class WebhooksRotate extends OperatorCommand<typeof WebhooksRotate> {
  static override summary = 'Replace the signing secret of an endpoint.';
  static override description =
    'The new secret signs from the next attempt on, without overlap: a receiver that still has the old one refuses the deliveries. It is not shown again.';
  static override examples = ['<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = { endpoint: Args.string({ required: true, description: 'Endpoint id.' }) };
  static override flags = { ...yesFlag };

  async run(): Promise<Rotated> {
    const admin = await createEndpointAdmin(await this.openContext());
    const { endpointId, operatorId, url } = await getEndpoint(admin.sql, this.args.endpoint);
    const operator = await getOperator(admin.sql, operatorId);
    await this.confirm(
      `Replace the secret of ${url} of ${operatorText(operator)} now? Its receiver refuses deliveries until it has the new one.`,
    );
    const rotated = await rotateSecret(admin, endpointId);
    this.printFacts({ ...rotated });
    return rotated;
  }
}
