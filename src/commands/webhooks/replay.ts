/** `webhooks replay`: restarts deliveries. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { getOperator } from '../../operators/operators.ts';
import { replayDeliveries, replaySince } from '../../webhooks/deliveries.ts';

export default class WebhooksReplay extends OperatorCommand<typeof WebhooksReplay> {
  static override summary = 'Send delivered or exhausted deliveries again.';
  static override description =
    'Replays either the given deliveries, all or none, or those that were queued since a time and whose endpoint is enabled. The retry schedule starts again; the event keeps its id.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> dlv_0197f1c2a0b37d3e8a6b1c5d9e2f4a60_1',
    '<%= config.bin %> <%= command.id %> --since 2026-11-20T00:00:00Z --operator demo',
  ];
  static override args = { delivery: Args.string({ multiple: true, description: 'Delivery ids.' }) };
  static override flags = {
    since: Flags.string({ helpValue: 'TIME', summary: 'Deliveries queued from this ISO-8601 time on.' }),
    operator: Flags.string({
      helpValue: 'SLUG',
      dependsOn: ['since'],
      summary: 'Only deliveries of this operator (slug).',
    }),
    endpoint: Flags.string({ helpValue: 'ID', dependsOn: ['since'], summary: 'Only deliveries of this endpoint.' }),
  };

  async run(): Promise<{ replayed: number; deliveryIds: string[] }> {
    const named = this.args.delivery ?? [];
    const since = this.readSince();
    if (named.length > 0 === (since !== undefined)) {
      throw usage('Give either delivery ids or --since.');
    }
    const { sql } = await this.openContext();
    const { operator, endpoint: endpointId } = this.flags;
    const operatorId = operator === undefined ? undefined : (await getOperator(sql, operator)).operatorId;
    const deliveryIds =
      since === undefined
        ? await replayDeliveries(sql, named)
        : await replaySince(sql, { since, operatorId, endpointId });
    this.say(`${deliveryIds.length} ${deliveryIds.length === 1 ? 'delivery starts' : 'deliveries start'} over.`);
    return { replayed: deliveryIds.length, deliveryIds };
  }

  private readSince(): Date | undefined {
    const text = this.flags.since;
    if (text === undefined) {
      return undefined;
    }
    if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(Date.parse(text))) {
      throw usage(`--since ${text} is not an ISO-8601 time.`);
    }
    return new Date(text);
  }
}
