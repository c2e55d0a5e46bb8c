/** The world with an event of every kind, and what tests of the frame do in it again and again. */
import { expect } from 'vitest';
import { moveBook } from '../catalogue/seed.ts';
import { seedKinds } from './catalogue.ts';
import { type BrowserWorld, type Host, type HostOptions, openWorld } from './world.ts';

export async function openKindsWorld(): Promise<BrowserWorld> {
  const world = await openWorld();
  await seedKinds(world.service.sql);
  await world.service.context.board.refresh();
  return world;
}

/** Confirms the books again: the tests last longer than a price stays fresh. */
export async function freshen({ service }: BrowserWorld): Promise<void> {
  await moveBook(service.sql, { id: 'rain', bids: [[0.55, 100_000]], asks: [[0.57, 100_000]] });
  await service.context.board.refresh();
}

export async function openEvent({ frame }: Host, title: string): Promise<void> {
  await frame.getByRole('button', { name: title, exact: true }).click();
  await frame.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Opens a frame, acts in it, and closes it; the frame must not break its own policy. */
export async function withHost<Result>(
  world: BrowserWorld,
  options: HostOptions | undefined,
  act: (host: Host) => Promise<Result>,
): Promise<Result> {
  const host = await world.open(options);
  try {
    const result = await act(host);
    expect(await host.violations()).toEqual([]);
    return result;
  } finally {
    await host.close();
  }
}
