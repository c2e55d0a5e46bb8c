/// <reference lib="dom" />
/**
 * A frame in a real browser: the service, an operator's page on another loopback origin that mints sessions over the API as an
 * operator's server does, and Debian's Chromium.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import type { Sql } from '../../src/db/client.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { confirmBooks } from '../catalogue/seed.ts';
import { openBrowser } from '../support/browser.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONFIRM_MS = 5_000;

export interface Host {
  readonly page: Page;
  readonly frame: Frame;
  /** Messages of the frame that reached the page, oldest first. */
  messages(): Promise<Record<string, unknown>[]>;
  /** What broke a policy, in any frame. */
  violations(): Promise<string[]>;
  /** Posts to the frame, as the page would. */
  post(message: unknown): Promise<void>;
  /** The newest session that the page was given. */
  session(): { readonly sessionId: string; readonly token: string };
  /** Addresses that anything on the page asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface HostOptions {
  /** Of the frame's address, after the operator. */
  readonly query?: string;
  readonly path?: string;
  readonly user?: string;
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** Whether it is used with a finger. */
  readonly touch?: boolean;
  /** Whether the page answers the frame's asking; default yes. */
  readonly answers?: boolean;
  /** Through the live operator; default the sandbox one. */
  readonly live?: boolean;
  /** Fields of the mint. */
  readonly mint?: Record<string, unknown>;
  /** Where the page is served; default the registered origin. */
  readonly from?: string;
  /** A phone with a processor four times slower on slow 4G. */
  readonly slow?: boolean;
  /** Where the frame is served; default the service. */
  readonly frameUrl?: string;
}

export interface BrowserWorld {
  readonly service: World;
  readonly operator: Operator;
  readonly key: string;
  readonly liveKey: string;
  /** Registered on the operators. */
  readonly origin: string;
  /** Another origin, not registered. */
  readonly strange: string;
  open(options?: HostOptions): Promise<Host>;
  close(): Promise<void>;
}

export async function openBrowserWorld(): Promise<BrowserWorld> {
  await buildFrame();
  const hosts = [await serveEmptyPages(), await serveEmptyPages()];
  const [origin = '', strange = ''] = hosts.map(({ url }) => url);
  const service = await openWorld();
  const operator = await service.createOperator({
    slug: 'house',
    name: 'House',
    platformFeeBps: 200,
    frameOrigins: [origin],
  });
  const { apiKey: key } = await service.issueKey(operator);
  const live = await service.createOperator({
    slug: 'house-live',
    name: 'House Live',
    mode: 'live',
    frameOrigins: [origin],
  });
  const { apiKey: liveKey } = await service.issueKey(live);
  const browser = await openBrowser();
  // A test may last longer than a price stays fresh.
  service.add(keepConfirming(service.sql));
  return {
    service,
    operator,
    key,
    liveKey,
    origin,
    strange,
    open: (options = {}) =>
      openHost(
        options.live === true
          ? { service, key: liveKey, origin, browser, slug: live.slug }
          : { service, key, origin, browser, slug: operator.slug },
        options,
      ),
    close: async () => {
      await browser.close();
      for (const host of hosts) {
        host.server.close();
      }
      await service.close();
    },
  };
}

function keepConfirming(sql: Sql): { close(): Promise<unknown> } {
  let confirming: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    confirming = confirming.then(() => confirmBooks(sql));
  }, CONFIRM_MS);
  return {
    close: () => {
      clearInterval(timer);
      return confirming;
    },
  };
}

interface Ground {
  readonly service: World;
  readonly key: string;
  readonly origin: string;
  readonly browser: Browser;
  readonly slug: string;
}

async function openHost({ service, key, origin, browser, slug }: Ground, options: HostOptions): Promise<Host> {
  const { width = 1200, height = 900, scheme = 'light', query = '', path = '', user = 'player-1' } = options;
  const { touch = false } = options;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: touch,
    isMobile: touch,
  });
  // a limit for what never happens, and not of speed
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  if (options.slow === true) {
    await slowDown(context, page);
  }
  const asked: string[] = [];
  const broken: string[] = [];
  let session = { sessionId: '', token: '' };
  context.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) {
      broken.push(message.text());
    }
  });
  await context.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { broken: seen });
    document.addEventListener('securitypolicyviolation', (event) =>
      seen.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.exposeFunction('mint', async () => {
    const body = { externalUserId: user, ...options.mint };
    const minted = await service.request('POST', '/api/v1/embed-sessions', { key, body });
    session = minted.body;
    return minted.body.token;
  });
  const src = `${options.frameUrl ?? service.url}/embed/predictions${path}?operator=${slug}${query}`;
  await page.goto(`${options.from ?? origin}/`);
  await page.evaluate(
    ({ address, answers }) => {
      const messages: unknown[] = [];
      Object.assign(window, { messages });
      const frame = document.createElement('iframe');
      window.addEventListener('message', async ({ data, source }) => {
        messages.push(data);
        if (!answers || source !== frame.contentWindow || data?.type !== 'service.session.required') {
          return;
        }
        const token = await (window as unknown as { mint(): Promise<string> }).mint();
        frame.contentWindow?.postMessage({ type: 'service.session', token }, new URL(address).origin);
      });
      frame.src = address;
      frame.title = 'Prediction markets';
      frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0';
      document.body.append(frame);
    },
    { address: src, answers: options.answers ?? true },
  );
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  if (frame === null) {
    throw new Error('the page has no frame');
  }
  return {
    page,
    frame,
    asked,
    messages: () => page.evaluate(() => (window as unknown as { messages: Record<string, unknown>[] }).messages),
    violations: async () => [
      ...broken,
      ...(await frame.evaluate(() => (window as unknown as { broken?: string[] }).broken ?? [])),
    ],
    post: (message) =>
      page.evaluate((sent) => document.querySelector('iframe')?.contentWindow?.postMessage(sent, '*'), message),
    session: () => session,
    close: () => context.close(),
  };
}

/** The same figures as Lighthouse: 150 ms a round trip, 1.6 Mbit/s down, 750 kbit/s up. */
async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  });
}

/** A page of an operator with nothing on it, on a port of its own. */
async function serveEmptyPages(): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    const viewport = '<meta name="viewport" content="width=device-width">';
    response.end(`<!doctype html><html lang="en">${viewport}<title>An operator</title><body></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A door in front of the service that can be shut, as when the service is away, and opened again on the same port. */
export async function openDoor(
  target: string,
): Promise<{ url: string; shut(): Promise<void>; open(): Promise<void>; close(): Promise<void> }> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  const make = () =>
    createTcpServer((near) => {
      const far = connect(Number(port), '127.0.0.1');
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
  let server = make();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  const shut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) {
      socket.destroy();
    }
    await closed;
  };
  return {
    url: `http://127.0.0.1:${own}`,
    shut,
    open: async () => {
      server = make();
      await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
    },
    close: shut,
  };
}

/** Builds the browser code where the sources are newer than what was built; test files that run side by side take turns. */
export async function buildFrame(): Promise<void> {
  const source = join(ROOT, 'src', 'frame');
  const turn = join(ROOT, 'dist', '.frame-build');
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  while (!isBuilt(source)) {
    try {
      mkdirSync(turn);
    } catch {
      if (Date.now() - (statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LONGEST_BUILD_MS) {
        rmSync(turn, { recursive: true, force: true });
      }
      await timePasses(200);
      continue;
    }
    const { NODE_ENV } = process.env;
    try {
      const { build } = await import('vite');
      // As it is shipped: with the NODE_ENV of tests the code has what helps to debug it, and is larger.
      process.env.NODE_ENV = 'production';
      await build({ configFile: join(source, 'vite.config.ts'), logLevel: 'error' });
    } finally {
      process.env.NODE_ENV = NODE_ENV;
      rmSync(turn, { recursive: true, force: true });
    }
  }
}

const LONGEST_BUILD_MS = 60_000;

function isBuilt(source: string): boolean {
  const manifest = statSync(join(ROOT, 'dist', 'frame', '.vite', 'manifest.json'), { throwIfNoEntry: false });
  const times = readdirSync(source, { recursive: true }).map((name) => statSync(join(source, String(name))).mtimeMs);
  return manifest !== undefined && manifest.mtimeMs > Math.max(...times);
}
