/** `webhooks add`: registers an endpoint; its signing secret is shown only once. */
import { Flags } from '@oclif/core';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { getOperator } from '../../operators/operators.ts';
import { addEndpoint, createEndpointAdmin } from '../../webhooks/endpoints.ts';

interface Added {
  readonly endpointId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
}

export default class WebhooksAdd extends OperatorCommand<typeof WebhooksAdd> {
  static override withKey = 'webhooks listen --forward-to URL';
  static override summary = 'Register a webhook endpoint of an operator.';
  static override description =
    'The endpoint receives the events that are emitted from now on. Its URL is https on port 443 of a public address; if the deployment permits it, also http on loopback. The secret is not shown again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --url https://hooks.example.com/inlay',
    '<%= config.bin %> <%= command.id %> --operator demo --url http://127.0.0.1:4242 --event order.filled --event position.settled',
  ];
  static override flags = {
    ...operatorFlag,
    url: Flags.string({ helpValue: 'URL', required: true, summary: 'URL that receives the events.' }),
    event: Flags.string({
      helpValue: 'TYPE',
      multiple: true,
      default: [],
      summary: 'Event type; repeatable; by default all seven.',
    }),
  };

  async run(): Promise<Added> {
    const context = await this.openContext();
    const { operatorId } = await getOperator(context.sql, this.flags.operator);
    const admin = await createEndpointAdmin(context);
    const { resolved, ...added } = await addEndpoint(admin, operatorId, this.flags.url, this.flags.event);
    if (!resolved) {
      this.note('The host name could not be resolved now; its address is checked on every attempt.');
    }
    this.printFacts({ ...added });
    this.note('Store the secret now: it is not shown again.');
    return added;
  }
}
