/** The state file of `feed tail`: the place behind the last item that was handed on, replaced in one step. */
import { access, constants, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FeedState } from '../../client/follow-feed.ts';
import { Failure, usage } from '../failure.ts';

/** What is read of a feed: a place in a part of it is no place in another part. */
export interface FeedFilter {
  readonly types: readonly string[];
  readonly externalUserId: string | null;
}

interface KeptState extends FeedState {
  /** Undefined in files of earlier releases. */
  readonly filter?: FeedFilter | undefined;
  /** Of which service: a cursor of another one is no place to go on from. */
  readonly apiUrl: string;
}

/** @returns undefined where there is no file yet. @throws Failure where it is not one of ours, or could not be replaced later. */
export async function readFeedState(path: string, apiUrl: string, filter: FeedFilter): Promise<FeedState | undefined> {
  let text: string;
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new Failure('write_failed', `${path} cannot be written: there is no such folder, or not for you.`);
  });
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw new Failure('state_unreadable', `${path} cannot be read.`);
  }
  const state = parse(text);
  if (state === undefined) {
    throw usage(
      `${path} is no state file of "feed tail".`,
      'Name another file, or remove it to begin at the beginning.',
    );
  }
  if (state.apiUrl !== apiUrl) {
    throw usage(`${path} belongs to ${state.apiUrl}, not to ${apiUrl}.`, 'Keep one state file for each service.');
  }
  if (state.filter !== undefined && nameFilter(state.filter) !== nameFilter(filter)) {
    throw usage(
      `${path} keeps the place in ${nameFilter(state.filter)}, not in ${nameFilter(filter)}.`,
      'Keep one state file for each choice of --type and --user.',
    );
  }
  return { cursor: state.cursor, sequence: state.sequence };
}

function nameFilter({ types, externalUserId }: FeedFilter): string {
  const kinds = types.length === 0 ? 'items of all types' : `items of type ${[...types].sort().join(', ')}`;
  return externalUserId === null ? kinds : `${kinds} of ${externalUserId}`;
}

export async function keepFeedState(path: string, state: KeptState): Promise<void> {
  const next = `${path}.next`;
  try {
    const file = await open(next, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(state)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('write_failed', `${path} cannot be written: ${reason}.`);
  }
}

function parse(text: string): KeptState | undefined {
  try {
    const { cursor, sequence, apiUrl, filter } = (JSON.parse(text) ?? {}) as Partial<KeptState>;
    if (typeof cursor !== 'string' || typeof apiUrl !== 'string') {
      return undefined;
    }
    // a file of before the number was kept
    return { cursor, apiUrl, filter, sequence: typeof sequence === 'number' ? sequence : null };
  } catch {
    return undefined;
  }
}
