/** `sandbox scenarios disarm`: disarms one scenario and shows those still armed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { PartnerCommand } from '../../../cli/partner-command.ts';
import { scenarioColumns } from '../../../cli/print/print-trading.ts';
import { listFlags } from '../../../cli/terminal/table.ts';
import type { ScenarioList } from '../../../client/shapes.ts';

export default class Disarm extends PartnerCommand<typeof Disarm> {
  static override hidden = true;
  static override summary = 'Disarm a scenario.';
  static override examples = ['<%= config.bin %> <%= command.id %> scn_0197f1c2'];
  static override ids = { scenario: 'scenario' } as const;
  static override args = { scenario: Args.string({ required: true, description: 'Scenario id.' }) };
  static override flags = { ...listFlags, ...yesFlag };

  async run(): Promise<ScenarioList> {
    const answer = await this.client.delete('/api/v1/sandbox/scenarios/{id}', { path: { id: this.args.scenario } });
    await this.printList(answer.scenarios, scenarioColumns, 'Disarmed; no other scenario is armed.');
    return answer;
  }
}
