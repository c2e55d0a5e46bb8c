/**
 * Where the process that reads the venues lets other cells read from it. Only processes of the deployment may: each request
 * carries a token that is derived from INLAY_SECRET. It passes on what was read and reads nothing of its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Ticks } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import { createTokenCheck } from '../../core/secrets/derived-token.ts';
import type { Secrets } from '../../core/secrets/secret.ts';
import { heldShape, PROTOCOL, PURPOSE_OF_TOKEN } from './messages.ts';
import type { PublishedVenue } from './published-venue.ts';
import { serveFollower } from './serve-follower.ts';

const MOST_FOLLOWERS = 64;
const MOST_BODY = 8 * 1024 * 1024;
const RETRY_LISTEN_MS = 1_000;
const PATH = /^\/v1\/venues\/([a-z0-9-]{1,40})\/(stream|held)$/;

export interface ReaderPlace {
  readonly host: string;
  readonly port: number;
}

export interface ReaderServerParts {
  readonly cell: string;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly ticks: Ticks;
  readonly published: ReadonlyMap<string, PublishedVenue>;
  /** Our own account at a venue, as `accountOf` names it. */
  accountOf(venue: string): string | null;
}

export interface ReaderServer {
  close(): Promise<void>;
}

/** Returns at once. A port that is taken is tried again: the leader before may not have closed it yet. */
export function startReaderServer({ host, port }: ReaderPlace, parts: ReaderServerParts): ReaderServer {
  const { cell, log, published, ticks } = parts;
  const admits = createTokenCheck(parts.secrets, PURPOSE_OF_TOKEN);
  /** Accounts of the cells that follow now, by venue and cell. */
  const accounts = new Map<
    ServerResponse,
    { readonly venue: string; readonly cell: string; readonly account: string }
  >();
  let followers = 0;
  let closed = false;
  let again: NodeJS.Timeout | undefined;

  function holderOf(venue: string, account: string, asking: string): string | null {
    if (parts.accountOf(venue) === account) {
      return cell;
    }
    const other = [...accounts.values()].find(
      (one) => one.venue === venue && one.account === account && one.cell !== asking,
    );
    return other?.cell ?? null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, venue = '', what] = PATH.exec(request.url ?? '') ?? [];
    const one = published.get(venue);
    if (!admits(request.headers.authorization)) {
      refuse(response, 401, 'invalid_token');
    } else if (one === undefined) {
      refuse(response, 404, 'not_found');
    } else if (!one.publication.reading) {
      refuse(response, 503, 'not_reading');
    } else if (what === 'held' && request.method === 'POST') {
      await hold(one, request, response);
    } else if (what === 'stream' && request.method === 'GET' && followers < MOST_FOLLOWERS) {
      follow(venue, one, request, response);
    } else {
      refuse(response, what === 'stream' ? 503 : 404, what === 'stream' ? 'too_many_followers' : 'not_found');
    }
  }

  function follow(venue: string, one: PublishedVenue, request: IncomingMessage, response: ServerResponse): void {
    const asking = String(request.headers['x-inlay-cell'] ?? '');
    const account = String(request.headers['x-inlay-account'] ?? '');
    const sharedAccount = account === '' ? null : holderOf(venue, account, asking);
    if (account !== '') {
      accounts.set(response, { venue, cell: asking, account });
    }
    followers += 1;
    log.info({ venue, cell: asking }, 'another cell reads this venue from here');
    serveFollower(
      response,
      one.publication,
      { type: 'hello', protocol: PROTOCOL, venue, cell, sharedAccount },
      ticks,
      () => {
        followers -= 1;
        accounts.delete(response);
      },
    );
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      log.warn({ err: error }, 'a cell could not be answered');
      refuse(response, 503, 'unavailable');
    });
  });
  server.on('error', (error) => {
    log.warn({ err: error, host, port }, 'other cells cannot read from here; will retry');
    again = setTimeout(listen, RETRY_LISTEN_MS);
  });

  function listen(): void {
    if (!closed) {
      server.listen(port, host);
    }
  }

  listen();
  return {
    close: () => {
      closed = true;
      clearTimeout(again);
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function hold(one: PublishedVenue, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (Number(request.headers['content-length'] ?? MOST_BODY + 1) > MOST_BODY) {
    refuse(response, 413, 'payload_too_large');
    return;
  }
  const asked = heldShape.safeParse(JSON.parse(await readText(request)));
  if (!asked.success) {
    refuse(response, 400, 'invalid_request');
    return;
  }
  const read = await one.hold(asked.data.cell, asked.data.listings);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ read }));
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
