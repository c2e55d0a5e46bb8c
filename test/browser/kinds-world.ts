/** The world with an event of every kind, and what tests of the frame do in it again and again. */
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { moveBook } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { seedKinds } from './catalogue.ts';
import { expectFits, expectSound } from './sound-page.ts';
import { type BrowserWorld, type Host, type HostOptions, openBrowserWorld } from './world.ts';

export interface KindsWorld {
  /** There is one only while tests run. */
  readonly world: BrowserWorld;
  /** Gives the books their prices of the beginning again. */
  resetBooks(): Promise<void>;
  /** Opens a frame, acts in it, and closes it; the frame must not break its own policy. */
  withHost<Result>(options: HostOptions, act: (host: Host) => Promise<Result>): Promise<Result>;
}

/**
 * The world of a test file: opened before its tests and closed after them.
 *
 * @param endsSound whether axe looks at the last state of each test, which takes a second.
 */
export function setUpKindsWorld({ endsSound = false }: { readonly endsSound?: boolean } = {}): KindsWorld {
  // A busy machine draws slowly; what must be quick says so itself.
  vi.setConfig({ testTimeout: 120_000 });
  let opened: BrowserWorld | undefined;
  beforeAll(async () => {
    opened = hasChromium ? await openKindsWorld() : undefined;
  }, 120_000);
  afterAll(() => opened?.close());
  const world = () => {
    if (opened === undefined) {
      throw new Error('the world is not open');
    }
    return opened;
  };
  return {
    get world() {
      return world();
    },
    resetBooks: () => resetBooks(world()),
    withHost: (options, act) => withHost(world(), options, act, endsSound),
  };
}

async function openKindsWorld(): Promise<BrowserWorld> {
  const world = await openBrowserWorld();
  await seedKinds(world.service.sql);
  await world.service.context.board.refresh();
  return world;
}

async function resetBooks({ service }: BrowserWorld): Promise<void> {
  await moveBook(service.sql, { id: 'blues', bids: [[0.5, 9000]], asks: [[0.52, 9000]] });
  await moveBook(service.sql, { id: 'rain', bids: [[0.55, 100_000]], asks: [[0.57, 100_000]] });
  await service.context.board.refresh();
}

export async function openEvent({ frame }: Host, title: string): Promise<void> {
  await frame.getByRole('button', { name: title, exact: true }).click();
  await frame.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Buys YES of the rain for a stake. @returns the id of the position */
export async function buyRain({ world }: KindsWorld, user: string, stake: number): Promise<string> {
  const { request } = world.service;
  const body = { marketId: 'ctr_rain', side: 'YES', action: 'buy', stake };
  const quote = await request('POST', '/api/v1/quotes', { key: world.key, user, body });
  const order = await request('POST', '/api/v1/orders', {
    key: world.key,
    user,
    body: { quoteId: quote.body.quoteId, clientOrderId: `${user}-${Math.random()}` },
  });
  expect(order.body.status).toBe('filled');
  const { body: page } = await request('GET', `/api/v1/positions?externalUserId=${user}`, { key: world.key });
  return page.positions[0].positionId;
}

async function withHost<Result>(
  world: BrowserWorld,
  options: HostOptions,
  act: (host: Host) => Promise<Result>,
  endsSound: boolean,
): Promise<Result> {
  const host = await world.open(options);
  try {
    const result = await act(host);
    expect(await host.violations()).toEqual([]);
    await (endsSound ? expectSound : expectFits)(host, 'the last state of this test');
    return result;
  } finally {
    await host.close();
  }
}
