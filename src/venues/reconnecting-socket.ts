/**
 * A WebSocket to a venue that opens itself again with growing pauses. It is probed at an interval, and silence ends it. It knows
 * no message: what is received is passed on, and the receiver says whether the connection can go on.
 */
import { WebSocket } from 'ws';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const HANDSHAKE_MS = 5_000;

export interface SocketOptions {
  /** Complete address, such as `wss://host/path`. */
  readonly url: string;
  /** Headers of the handshake, made for each connection. @throws if they cannot be made */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly probeMs: number;
  /** Without anything received for this long the connection ends. */
  readonly silenceMs: number;
  /** Texts that probe the connection; a ping of the protocol if there are none. */
  readonly probe?: { readonly text: string; readonly answer: string };
}

export interface SocketConnection {
  send(text: string): void;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export interface SocketHandlers {
  opened(connection: SocketConnection): void;
  /** @returns why the connection cannot go on; null if it can */
  received(text: string): string | null;
  /** A probe that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
}

export function openReconnectingSocket(options: SocketOptions, handlers: SocketHandlers): { close(): void } {
  const { probe } = options;
  let closed = false;
  let wait = FIRST_WAIT_MS;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;

  function connect(): void {
    let opened: WebSocket;
    try {
      opened = new WebSocket(options.url, {
        headers: options.headers?.() ?? {},
        handshakeTimeout: HANDSHAKE_MS,
        perMessageDeflate: false,
      });
    } catch (error) {
      again((error as Error).message);
      return;
    }
    socket = opened;
    follow(opened);
  }

  function follow(opened: WebSocket): void {
    let reason: string | undefined;
    let heardAt = performance.now();
    let probed = new Date();
    const drop = (why: string) => {
      reason ??= why;
      opened.terminate();
    };
    const answered = () => {
      wait = FIRST_WAIT_MS;
      handlers.alive(probed);
    };
    const beat = setInterval(() => {
      if (performance.now() - heardAt > options.silenceMs) {
        drop('nothing was received');
      } else if (opened.readyState === WebSocket.OPEN) {
        probed = new Date();
        if (probe === undefined) {
          opened.ping();
        } else {
          opened.send(probe.text);
        }
      }
    }, options.probeMs);
    opened.on('open', () => {
      heardAt = performance.now();
      handlers.opened({ drop, send: (text) => opened.send(text) });
    });
    opened.on('ping', () => {
      heardAt = performance.now();
    });
    opened.on('pong', () => {
      heardAt = performance.now();
      if (probe === undefined) {
        answered();
      }
    });
    opened.on('message', (data) => {
      if (reason !== undefined) {
        return;
      }
      heardAt = performance.now();
      const text = String(data);
      if (probe !== undefined && text === probe.answer) {
        answered();
        return;
      }
      const problem = handlers.received(text);
      if (problem !== null) {
        drop(problem);
      }
    });
    opened.on('error', (error) => drop(error.message));
    opened.on('close', () => {
      clearInterval(beat);
      if (socket === opened) {
        socket = undefined;
        again(reason ?? 'the connection ended');
      }
    });
  }

  function again(reason: string): void {
    if (closed) {
      return;
    }
    handlers.ended(reason);
    retry = setTimeout(connect, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  connect();
  return {
    close() {
      closed = true;
      clearTimeout(retry);
      socket?.terminate();
    },
  };
}
