/** `status`: the service, the key and the catalogue at a glance. It answers without a key too. */
import { PartnerCommand } from '../cli/partner-command.ts';
import type { Whoami } from '../client/shapes.ts';

interface StatusAnswer {
  readonly service: { readonly url: string; readonly status: string; readonly database: string };
  readonly markets: { readonly open: number; readonly total: number };
  /** Whether the prices of a venue are followed now. */
  readonly pricesLive: boolean;
  /** Null without a key. */
  readonly key: Whoami | null;
}

export default class Status extends PartnerCommand<typeof Status> {
  static override summary = 'Show the service, your key and the catalogue at a glance.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<StatusAnswer> {
    const [{ status, database, markets, stream }, key] = await Promise.all([
      this.client.get('/api/health'),
      this.apiKey === undefined ? null : this.client.get('/api/v1/whoami'),
    ]);
    this.printFacts({
      service: `${this.apiUrl}, ${status}, database ${database}`,
      markets: `${markets.open.toLocaleString('en')} open of ${markets.total.toLocaleString('en')}`,
      prices: stream.running ? 'live' : 'not followed now; those that grow too old are refused',
      key: key === null ? 'none; "inlay login" stores one' : `${key.keyId}, ${key.scopes.length} scopes`,
      ...(key === null
        ? {}
        : {
            operator: `${key.slug} (${key.name}), ${key.mode}`,
            trading: key.tradingPaused ? 'paused' : 'open',
          }),
    });
    return { service: { url: this.apiUrl, status, database }, markets, pricesLive: stream.running, key };
  }
}
