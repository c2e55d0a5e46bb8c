/**
 * The venues as the leader of ingestion reads them: itself, for other cells as well, or through another cell. A simulated exchange
 * belongs to its cell and is never shared.
 */
import type { Context } from '../context.ts';
import { systemTicks } from '../core/clock.ts';
import { derivedToken } from '../core/secrets/derived-token.ts';
import { stopTradingBecause } from '../trading/account/trading-stop.ts';
import type { Venue } from '../venues/port.ts';
import { accountNameOf } from '../venues/reader/account-name.ts';
import { followVenueOfCell } from '../venues/reader/followed-venue.ts';
import { PURPOSE_OF_TOKEN } from '../venues/reader/messages.ts';
import { type PublishedVenue, publishVenue } from '../venues/reader/published-venue.ts';
import { startReaderServer } from '../venues/reader/reader-server.ts';
import { openDeployedVenues } from '../venues/registry.ts';

type ReadContext = Pick<Context, 'environment' | 'sql' | 'secrets' | 'clock' | 'log'>;

const isShared = (venue: string): boolean => !venue.startsWith('paper');

/** @param onClose receives what must be closed besides the venues */
export async function openReadVenues(
  context: ReadContext,
  onClose: (close: () => Promise<unknown>) => void,
): Promise<readonly Venue[]> {
  const { environment, secrets, log } = context;
  const { listen, origins } = environment.reader;
  const opened = openDeployedVenues(context).list;
  const accounts = new Map<string, string | null>();
  for (const { name } of opened) {
    accounts.set(name, await accountNameOf(name, environment.venueSettings));
  }
  const published = new Map<string, PublishedVenue>();
  const publish = (venue: Venue): Venue => {
    const one = publishVenue(venue, systemTicks);
    published.set(venue.name, one);
    return one.venue;
  };
  const venues = opened.map((venue) => {
    if (!isShared(venue.name)) {
      return venue;
    }
    const own = listen === undefined ? venue : publish(venue);
    return origins.length === 0 ? own : followed(context, own, accounts.get(venue.name) ?? null);
  });
  if (listen !== undefined) {
    const server = startReaderServer(listen, {
      cell: environment.cell ?? '',
      secrets,
      log,
      ticks: systemTicks,
      published,
      accountOf: (venue) => accounts.get(venue) ?? null,
    });
    onClose(() => server.close());
  }
  return venues;
}

function followed({ environment, secrets, sql, clock, log }: ReadContext, own: Venue, account: string | null): Venue {
  const { origins, takeOverMs } = environment.reader;
  const token = derivedToken(secrets, PURPOSE_OF_TOKEN);
  return followVenueOfCell(own, {
    access: { origins, token, cell: environment.cell ?? '', account },
    takeOverMs,
    clock,
    ticks: systemTicks,
    log,
    onSharedAccount(cell) {
      stopTradingBecause(sql, own.name, `cell ${cell} trades in the same account; give each cell its own`).then(
        (stop) => {
          if (stop !== undefined) {
            log.fatal(
              { venue: own.name, cell },
              'another cell trades in our account; trading at the venue has stopped',
            );
          }
        },
        (error: unknown) => log.error({ err: error, venue: own.name }, 'could not stop trading in a shared account'),
      );
    },
  });
}
