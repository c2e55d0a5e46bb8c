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
  /** Confirms the books again: the tests last longer than a price stays fresh. */
  freshen(): Promise<void>;
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
    freshen: () => freshen(world()),
    withHost: (options, act) => withHost(world(), options, act, endsSound),
  };
}

async function openKindsWorld(): Promise<BrowserWorld> {
  const world = await openBrowserWorld();
  await seedKinds(world.service.sql);
  await world.service.context.board.refresh();
  return world;
}

async function freshen({ service }: BrowserWorld): Promise<void> {
  await moveBook(service.sql, { id: 'rain', bids: [[0.55, 100_000]], asks: [[0.57, 100_000]] });
  await service.context.board.refresh();
}

export async function openEvent({ frame }: Host, title: string): Promise<void> {
  await frame.getByRole('button', { name: title, exact: true }).click();
  await frame.getByRole('heading', { level: 1, name: title }).waitFor();
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
