/** `webhooks list`: endpoints and their state, without secrets. */

import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { columnsOf, elastic, listFlags, numeric, ranked } from '../../cli/terminal/table.ts';
import { getOperator } from '../../operators/operators.ts';
import { type Endpoint, listEndpoints, publicEndpoint } from '../../webhooks/endpoints.ts';

export default class WebhooksList extends OperatorCommand<typeof WebhooksList> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List webhook endpoints.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --operator demo --output csv',
  ];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ helpValue: 'SLUG', summary: 'Slug of an operator; by default all.' }),
  };

  async run(): Promise<{ endpoints: Endpoint[]; count: number }> {
    const { sql } = await this.openContext();
    const { operator } = this.flags;
    const operatorId = operator === undefined ? undefined : (await getOperator(sql, operator)).operatorId;
    const endpoints = (await listEndpoints(sql, { operatorId })).map(publicEndpoint);
    await this.printList(
      endpoints,
      ranked(
        ['endpointId', 'active', 'url', 'delivered', 'failed', 'disabledReason', 'pausedUntil', 'events'],
        numeric(
          ['delivered', 'failed'],
          elastic(
            ['events', 'disabledReason'],
            [
              ...columnsOf<Endpoint>('endpointId'),
              // two endpoints differ in its end
              { name: 'url', mayStandBelow: true, value: ({ url }) => url },
              ...columnsOf<Endpoint>('events', 'active', 'disabledReason', 'delivered', 'failed', 'pausedUntil'),
            ],
          ),
        ),
      ),
      'No webhook endpoints. "inlay webhooks add" registers one.',
    );
    return { endpoints, count: endpoints.length };
  }
}
