/** `webhooks update`: changes the URL or the subscriptions of an endpoint, or both, from now on. */
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { endpointArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { createEndpointAdmin, type Endpoint, publicEndpoint, updateEndpoint } from '../../webhooks/endpoints.ts';

export default class WebhooksUpdate extends OperatorCommand<typeof WebhooksUpdate> {
  static override hidden = true;
  static override summary = 'Change the URL or the event types of an endpoint.';
  static override description =
    'Events emitted before the change are not sent to the new URL or for the new types. The secret does not change.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --event position.settled',
  ];
  static override ids = { endpoint: 'endpoint' } as const;
  static override args = endpointArgument;
  static override flags = {
    url: Flags.string({ helpValue: 'URL', summary: 'URL that receives the events from now on.' }),
    event: Flags.string({
      helpValue: 'TYPE',
      multiple: true,
      summary: 'Event type; repeatable. The given types replace all subscriptions.',
    }),
  };

  async run(): Promise<Endpoint> {
    const { url, event } = this.flags;
    if (url === undefined && event === undefined) {
      throw usage('There is nothing to change.', 'Give --url, --event or both.');
    }
    const admin = await createEndpointAdmin(await this.openContext());
    const endpoint = publicEndpoint(await updateEndpoint(admin, this.args.endpoint, { url, events: event }));
    this.printFacts({ endpointId: endpoint.endpointId, url: endpoint.url, events: endpoint.events });
    return endpoint;
  }
}
