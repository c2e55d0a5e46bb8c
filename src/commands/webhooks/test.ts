/** `webhooks test`: one signed test event, sent now. */
import { endpointArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { EXIT } from '../../core/errors.ts';
import { createEndpointAdmin } from '../../webhooks/endpoints.ts';
import { type TestOutcome, testEndpoint } from '../../webhooks/test-endpoint.ts';

export default class WebhooksTest extends OperatorCommand<typeof WebhooksTest> {
  static override summary = 'Send a test event to an endpoint and show its response.';
  static override description =
    'The event has the type webhook.test and reports no fact. It is sent once, to a disabled endpoint too. The command ends with exit code 1 if the endpoint does not acknowledge it.';
  static override examples = ['<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60'];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = endpointArgument;

  async run(): Promise<TestOutcome> {
    const context = await this.openContext();
    const outcome = await testEndpoint(await createEndpointAdmin(context), this.args.endpoint, context.clock);
    this.printFacts({ ...outcome });
    if (!outcome.delivered) {
      this.endWith(EXIT.refused);
    }
    return outcome;
  }
}
