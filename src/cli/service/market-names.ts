/**
 * The names of contracts, because orders and positions carry only ids. It is a file of its own because the base of the partner
 * commands, their lists and the printing share it.
 */
import { ApiError, type InlayClient, ServiceUnreachable } from '../../client/create-client.ts';
import { nameMarket } from '../../core/plain-words.ts';

/** Names by contract id. */
export type MarketNames = ReadonlyMap<string, string>;

const AT_ONCE = 100;

/** @returns the names of the contracts that are known. A command works without names, so it goes on if the request is refused or lost. */
export async function readMarketNames(client: InlayClient, contractIds: readonly string[]): Promise<MarketNames> {
  const wanted = [...new Set(contractIds)];
  const names = new Map<string, string>();
  try {
    for (let start = 0; start < wanted.length; start += AT_ONCE) {
      const ids = wanted.slice(start, start + AT_ONCE).join(',');
      const { data } = await client.get('/api/v1/contracts', { query: { ids } });
      for (const { id, title, label } of data) {
        names.set(id, nameMarket(title, label));
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof ServiceUnreachable)) {
      throw error;
    }
  }
  return names;
}
