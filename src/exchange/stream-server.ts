/**
 * The WebSockets of an exchange that this project plays: who may connect, what clients send, and the faults that a tester arms. The
 * emulated exchanges and the paper venue use it; each keeps its own messages.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** `gap` loses messages, `silence` sends nothing, `garbage` sends a page of HTML, `disconnect` ends every connection. */
export type StreamFault = 'gap' | 'silence' | 'garbage' | 'disconnect';

interface Door<Client> {
  /** @returns what makes the client of an opened connection, or the status line that refuses it, such as `401 Unauthorized` */
  admit(request: IncomingMessage): ((socket: WebSocket) => Client) | string;
  /** A message of a client. */
  received?(client: Client, text: string): void;
}

export interface StreamServer<Client> {
  readonly clients: ReadonlySet<Client>;
  /** Takes the WebSockets of this server. */
  attach(server: Server, door: Door<Client>): void;
  /** Sends a text to one client, unless a fault makes the server silent. */
  send(client: Client, text: string): void;
  isSilent(client: Client): boolean;
  /** Called once for each message that can be lost. @returns whether this one is */
  loses(): boolean;
  /**
   * @param amount of `gap`: how many messages are lost, one if missing. Of `silence`: for how many milliseconds the server sends nothing;
   * if missing, present connections receive nothing until they end
   */
  fault(fault: StreamFault, amount?: number): void;
  close(): void;
}

/** @param now milliseconds since 1970 */
export function createStreamServer<Client extends { readonly socket: WebSocket }>(
  now: () => number = Date.now,
): StreamServer<Client> {
  // pongs are sent here, because a silent server sends none
  const sockets = new WebSocketServer({ noServer: true, autoPong: false });
  const clients = new Set<Client>();
  const silenced = new WeakSet<Client>();
  let silentUntil = 0;
  let lost = 0;

  const isSilent = (client: Client) => silenced.has(client) || now() < silentUntil;

  function welcome(client: Client, received: Door<Client>['received']): void {
    const { socket } = client;
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    socket.on('error', () => socket.terminate());
    socket.on('ping', (data) => isSilent(client) || socket.pong(data));
    if (received !== undefined) {
      socket.on('message', (data) => received(client, String(data)));
    }
  }

  return {
    clients,
    attach(server, { admit, received }) {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        const admitted = admit(request);
        if (typeof admitted === 'string') {
          refuse(socket, admitted);
        } else {
          sockets.handleUpgrade(request, socket, head, (opened) => welcome(admitted(opened), received));
        }
      });
    },
    send(client, text) {
      if (!isSilent(client)) {
        client.socket.send(text);
      }
    },
    isSilent,
    loses() {
      const loses = lost > 0;
      lost = Math.max(0, lost - 1);
      return loses;
    },
    fault(fault, amount) {
      if (fault === 'gap') {
        lost += amount ?? 1;
      } else if (fault === 'silence' && amount !== undefined) {
        silentUntil = Math.max(silentUntil, now() + amount);
      } else {
        for (const client of clients) {
          if (fault === 'silence') {
            silenced.add(client);
          } else if (fault === 'garbage') {
            client.socket.send('<html>');
          } else {
            client.socket.terminate();
          }
        }
      }
    },
    close() {
      for (const { socket } of clients) {
        socket.terminate();
      }
      sockets.close();
    },
  };
}

/** The connection ends, also if the client resets it meanwhile. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}
