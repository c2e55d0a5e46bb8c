/** `sandbox scenarios list`: what is armed. */
import { columnsOf, listFlags } from '../../../cli/output.ts';
import { PartnerCommand } from '../../../cli/partner-command.ts';
import type { Scenario } from '../../../wire/sandbox.ts';

const scenarioColumns = columnsOf<Scenario>(
  'scenarioId',
  'kind',
  'fillFraction',
  'fillAmount',
  'clientOrderId',
  'expiresAt',
);

export default class List extends PartnerCommand<typeof List> {
  static override summary = 'List the scenarios that are armed.';
  static override examples = ['<%= config.bin %> <%= command.id %> --json'];
  static override flags = listFlags;

  async run(): Promise<{ scenarios: Scenario[] }> {
    const answer = await this.api.get<{ scenarios: Scenario[] }>('/api/v1/sandbox/scenarios');
    await this.printList(answer.scenarios, scenarioColumns, 'Nothing is armed.');
    return answer;
  }
}
