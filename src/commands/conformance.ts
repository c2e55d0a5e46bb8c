/** `conformance`: checks a running service for the facts of the contract. */
import { randomUUID } from 'node:crypto';
import { Flags } from '@oclif/core';
import { checkFacts, type FactResult, findTradable } from '../cli/conformance/facts.ts';
import { usage } from '../cli/failure.ts';
import { PartnerCommand } from '../cli/partner-command.ts';
import { columnsOf, listFlags } from '../cli/terminal/table.ts';
import { EXIT } from '../core/errors.ts';

export default class Conformance extends PartnerCommand<typeof Conformance> {
  static override summary = 'Check a service against the conformance facts of the contract.';
  static override description =
    'The command trades 5.00 of simulated money for a new customer, with the key of a sandbox operator. It ends with exit code 5 if a check fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile staging --json',
  ];
  static override ids = { contract: 'contract' } as const;
  static override flags = {
    ...listFlags,
    contract: Flags.string({ helpValue: 'CTR', summary: 'Contract to trade; by default an open one.' }),
    user: Flags.string({ helpValue: 'USER', summary: 'Customer to trade for; by default a new one.' }),
  };

  async run(): Promise<{ ok: boolean; passed: number; failed: number; facts: FactResult[] }> {
    if (this.apiKey?.startsWith('sk_live_')) {
      throw usage('This is the key of a live operator.', 'Use the key of a sandbox operator.');
    }
    // fails for every live key, and without a key
    await this.client.get('/api/v1/sandbox/scenarios');
    const contractId = this.flags.contract ?? (await findTradable(this.client));
    const user = this.flags.user ?? `conformance-${randomUUID()}`;
    const facts: FactResult[] = [];
    for await (const fact of checkFacts({
      client: this.client,
      api: this.api,
      apiUrl: this.apiUrl,
      contractId,
      user,
    })) {
      facts.push(fact);
    }
    const failed = facts.filter(({ ok }) => !ok).length;
    await this.printList(facts, [
      {
        name: 'ok',
        title: '',
        value: ({ ok }) => (ok ? 'ok' : 'FAIL'),
        paint: ({ ok }) => (ok ? 'green' : 'red'),
      },
      ...columnsOf<FactResult>('name', 'expected'),
      { name: 'got', value: ({ ok, got }) => (ok ? '' : got) },
    ]);
    this.note(`${facts.length - failed} of ${facts.length} facts hold.`);
    if (failed > 0) {
      this.endWith(EXIT.expectationFailed);
    }
    return { ok: failed === 0, passed: facts.length - failed, failed, facts };
  }
}
