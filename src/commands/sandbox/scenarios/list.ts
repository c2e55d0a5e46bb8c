/** `sandbox scenarios list`: the armed scenarios. */
import { PartnerCommand } from '../../../cli/partner-command.ts';
import { scenarioColumns } from '../../../cli/print/print-trading.ts';
import { listFlags } from '../../../cli/terminal/table.ts';
import type { ScenarioList } from '../../../client/shapes.ts';

export default class List extends PartnerCommand<typeof List> {
  static override hidden = true;
  static override summary = 'List the armed scenarios.';
  static override examples = ['<%= config.bin %> <%= command.id %> --json'];
  static override flags = listFlags;

  async run(): Promise<ScenarioList> {
    const answer = await this.client.get('/api/v1/sandbox/scenarios');
    await this.printList(answer.scenarios, scenarioColumns, 'No scenario is armed.');
    return answer;
  }
}
