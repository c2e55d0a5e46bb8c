/** Receivers as partners run them, good and bad: real servers on loopback. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface Received {
  readonly at: number;
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sink {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Sockets that were opened, whether or not a request came. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: Received) => void;

export const answers = {
  ok: (response: ServerResponse) => response.writeHead(200).end('ok'),
  status:
    (status: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      response.writeHead(status, headers).end(`status ${status}`),
  never: () => {},
  after: (ms: number) => (response: ServerResponse) => setTimeout(() => response.writeHead(200).end('late'), ms),
  huge: (bytes: number) => (response: ServerResponse) => response.writeHead(200).end(Buffer.alloc(bytes, 'x')),
  endless: (response: ServerResponse) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('drip'), 20);
    response.on('close', () => clearInterval(timer));
  },
  reset: (response: ServerResponse) => response.socket?.resetAndDestroy(),
};

export async function openSink(answer: Answer): Promise<Sink> {
  const received: Received[] = [];
  return track(createServer(listener(answer, received)), received, 'http', '/hook');
}

/** A certificate that nobody vouches for. */
export async function openBrokenTlsSink(): Promise<Sink> {
  const folder = temporaryFolder('tls');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-days',
      '1',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  const received: Received[] = [];
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener(answers.ok, received));
  return track(server, received, 'https', '/hook');
}

/** Speaks something else than HTTP. */
export async function openNoiseSink(): Promise<Sink> {
  return track(
    createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.9\r\n');
    }),
    [],
    'http',
    '/hook',
  );
}

function listener(answer: Answer, received: Received[]): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => {});
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        at: Date.now(),
        path: request.url ?? '',
        method: request.method ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      answer(response, one);
    });
  };
}

async function track(server: Server, received: Received[], scheme: string, path: string): Promise<Sink> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}${path}`,
    port,
    received,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
