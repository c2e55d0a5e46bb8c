/** `whoami`: the operator of the key, what the key may do, and how many requests are left. */
import { PartnerCommand } from '../cli/partner-command.ts';
import type { Whoami as Answer } from '../client/shapes.ts';

export default class Whoami extends PartnerCommand<typeof Whoami> {
  static override summary = 'Show the operator, the scopes and the limits of your key.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<Answer> {
    const answer = await this.client.get('/api/v1/whoami');
    const { rateLimit } = answer;
    this.printFacts({
      operator: `${answer.slug} (${answer.name})`,
      id: answer.operatorId,
      mode: answer.mode,
      key: answer.keyId,
      scopes: answer.scopes.join(', '),
      'platform fee': `${answer.platformFeeBps / 100} %`,
      trading: answer.tradingPaused ? 'paused' : 'open',
      requests:
        rateLimit === null ? '-' : `${rateLimit.remaining} of ${rateLimit.limit} left for ${rateLimit.resetSeconds} s`,
      service: this.apiUrl,
    });
    return answer;
  }
}
