/** `webhooks rotate`: a new signing secret, valid at once and shown only once. */
import { yesFlag } from '../../cli/base-command.ts';
import { endpointArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { endpointText } from '../../cli/questions.ts';
import { createEndpointAdmin, rotateSecret } from '../../webhooks/endpoints.ts';

interface Rotated {
  readonly endpointId: string;
  readonly secret: string;
}

export default class WebhooksRotate extends OperatorCommand<typeof WebhooksRotate> {
  static override hidden = true;
  static override summary = 'Replace the signing secret of an endpoint.';
  static override description =
    'The new secret signs every attempt from now on; a receiver that still has the old one refuses the deliveries. The secret is not shown again.';
  static override examples = ['<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = endpointArgument;
  static override flags = { ...yesFlag };

  async run(): Promise<Rotated> {
    const admin = await createEndpointAdmin(await this.openContext());
    const { endpoint } = this.args;
    await this.confirm(
      async () =>
        `Replace the secret of ${await endpointText(admin.sql, endpoint)} now? Its receiver refuses deliveries until it has the new one.`,
    );
    const rotated = await rotateSecret(admin, endpoint);
    this.printFacts({ ...rotated });
    return rotated;
  }
}
