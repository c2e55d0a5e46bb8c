/** `whoami`: the operator of the key, what the key may do, how many requests are left, and the service that answers. */
import { PartnerCommand } from '../cli/partner-command.ts';
import type { Whoami as Answer } from '../client/shapes.ts';
import { withThousands } from '../core/plain-words.ts';

export default class Whoami extends PartnerCommand<typeof Whoami> {
  static override summary = 'Show the operator, scopes and limits of your key, and the state of the service.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<Answer> {
    const [answer, { status, markets, stream }] = await Promise.all([
      this.client.get('/api/v1/whoami'),
      this.client.get('/api/health'),
    ]);
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
      service: `${this.apiUrl}, ${status}`,
      markets: `${withThousands(markets.open)} open of ${withThousands(markets.total)}`,
      prices: stream.running ? 'live' : 'not followed now; those that grow too old are refused',
    });
    return answer;
  }
}
