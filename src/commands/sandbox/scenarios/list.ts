/** `sandbox scenarios list`: the armed scenarios. */

import { PartnerCommand } from '../../../cli/partner-command.ts';
import { columnsOf, listFlags, numeric } from '../../../cli/terminal/table.ts';
import type { Scenario, ScenarioList } from '../../../client/shapes.ts';

const scenarioColumns = numeric(
  ['fillFraction', 'fillAmount'],
  columnsOf<Scenario>('scenarioId', 'kind', 'fillFraction', 'fillAmount', 'clientOrderId', 'expiresAt'),
);

export default class List extends PartnerCommand<typeof List> {
  static override summary = 'List the armed scenarios.';
  static override examples = ['<%= config.bin %> <%= command.id %> --json'];
  static override flags = listFlags;

  async run(): Promise<ScenarioList> {
    const answer = await this.client.get('/api/v1/sandbox/scenarios');
    await this.printList(answer.scenarios, scenarioColumns, 'No scenario is armed.');
    return answer;
  }
}
