/**
 * Connections that watch the same contracts, as readers of the same page do: what changed is joined once for all of
 * them, and each socket is written to once.
 */
import type { Connection } from './connection.ts';
import type { Frame } from './frame.ts';
import { joinFrames } from './frame.ts';
import type { Instrument } from './instrument.ts';

export interface Group {
  readonly key: string;
  readonly instruments: readonly Instrument[];
  readonly connections: Set<Connection>;
  /** Instruments with a frame that was not sent yet. */
  changed: Instrument[];
}

export function createGroup(key: string, instruments: readonly Instrument[]): Group {
  const group: Group = { key, instruments, connections: new Set(), changed: [] };
  for (const instrument of instruments) {
    instrument.groups.add(group);
  }
  return group;
}

/** Takes what is to be sent out of the group; undefined where there is nothing. */
export function takeChanged(
  group: Group,
): { readonly frame: Frame; readonly instruments: readonly Instrument[] } | undefined {
  const instruments = group.changed;
  group.changed = [];
  const frames = framesOf(instruments);
  return frames.length === 0 ? undefined : { frame: joinFrames(frames), instruments };
}

/** The newest frames of the instruments, ids rising. */
export function framesOf(instruments: Iterable<Instrument>): Frame[] {
  const frames: Frame[] = [];
  for (const { frame } of instruments) {
    if (frame !== undefined) {
      frames.push(frame);
    }
  }
  return frames.sort((a, b) => a.id - b.id);
}
