/** Which adapters there are, and the ones a deployment uses. Hosts come from configuration alone, asked for each time. */
import { openKalshi } from './kalshi/kalshi.ts';
import { openPaper } from './paper/paper.ts';
import { openPolymarket } from './polymarket/polymarket.ts';
import type { Locate, Venue } from './port.ts';

/** Those that this release only reads: their books are shown, and nothing is sent to them. */
const READ_ONLY: ReadonlySet<string> = new Set(['kalshi', 'polymarket']);

const ADAPTERS: Readonly<Record<string, (name: string, locate: Locate, paperToken: string) => Venue>> = {
  paper: openPaper,
  'paper-2': openPaper,
  kalshi: openKalshi,
  polymarket: openPolymarket,
};

/** Whether orders can be sent to a venue of that name at all. */
export const canTrade = (venue: string): boolean => !READ_ONLY.has(venue);

export interface Venues {
  /** In the order asked for: the first is the primary one. */
  readonly list: readonly Venue[];
  /** @throws where the deployment has no such venue. */
  get(name: string): Venue;
  close(): Promise<void>;
}

/**
 * @param paperToken what paper venues ask for (core/secrets/paper-token.ts); the others are not given it.
 * @throws where there is no adapter of that name.
 */
export function openVenues(names: readonly string[], locate: Locate, paperToken: string): Venues {
  const list = names.map((name) => {
    const open = ADAPTERS[name];
    if (open === undefined) {
      throw new Error(`no adapter for the venue ${name}`);
    }
    return open(name, locate, paperToken);
  });
  return {
    list,
    get(name) {
      const venue = list.find((one) => one.name === name);
      if (venue === undefined) {
        throw new Error(`the venue ${name} is not among those of this deployment`);
      }
      return venue;
    },
    close: async () => {
      await Promise.all(list.map((venue) => venue.close()));
    },
  };
}
