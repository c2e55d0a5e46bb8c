/**
 * Our orders and trades as Polymarket pushes them over its user channel. A push names an order by its hash and hastens a look-up;
 * pushes of a time without a connection are lost, so each new connection asks for a comparison of the account.
 */
import { openReconnectingSocket, type SocketConnection } from '../../reconnecting-socket.ts';
import type { Note } from '../../unknowns.ts';
import type { Clob } from '../clob.ts';
import { readUserFrame, type UserMessage } from './messages.ts';

const PATH = '/ws/user';
const PROBE_MS = 5_000;
const SILENCE_MS = 16_000;

/**
 * @param url origin, such as `wss://host`
 * @param onChange hashes of orders that changed; none if it is not known which
 */
export function followPolymarketAccount(
  url: string,
  clob: Pick<Clob, 'credentials'>,
  onChange: (refs: readonly string[]) => void,
  note: Note,
): { close(): void } {
  async function subscribe({ send }: SocketConnection): Promise<void> {
    const { apiKey, secret, passphrase } = await clob.credentials();
    // without a list of markets it is about all of them
    send(JSON.stringify({ auth: { apiKey, secret, passphrase }, type: 'user' }));
    onChange([]);
  }

  return openReconnectingSocket(
    { url: `${url}${PATH}`, probeMs: PROBE_MS, silenceMs: SILENCE_MS, probe: { text: 'PING', answer: 'PONG' } },
    {
      opened(connection) {
        subscribe(connection).catch((error: Error) => connection.drop(error.message));
      },
      received(frame) {
        const messages = readUserFrame(frame, note);
        if (messages === undefined) {
          return 'a message could not be read';
        }
        const refs = new Set(messages.flatMap(ordersOf));
        if (refs.size > 0) {
          onChange([...refs]);
        }
        return null;
      },
      alive: () => undefined,
      ended: () => undefined,
    },
  );
}

function ordersOf(message: UserMessage): string[] {
  const refs =
    message.event_type === 'order'
      ? [message.id]
      : [message.taker_order_id, ...(message.maker_orders ?? []).map(({ order_id: ref }) => ref)];
  return refs.map((ref) => ref.toLowerCase());
}
