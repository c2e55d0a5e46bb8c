/** What contracts are called, for people: orders and positions carry only their ids. */
import { ApiError, type InlayClient, ServiceUnreachable } from '../../client/create-client.ts';

/** By contract id. */
export type MarketNames = ReadonlyMap<string, string>;

const AT_ONCE = 100;

/** @returns the names of the known ones; a command works without them, so that no failure is reported */
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

/** The outcome of a yes-or-no question adds nothing to its title. */
export function nameMarket(title: string, label: string): string {
  return label.toLowerCase() === 'yes' ? title : `${title}: ${label}`;
}
