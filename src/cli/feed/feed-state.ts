/** The state file of `feed tail`: the cursor after the last item that was written. It is replaced atomically, and refused for another feed. */
import { access, constants, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FeedState } from '../../client/follow-feed.ts';
import { Failure, usage } from '../failure.ts';

/** The filter of a feed. A cursor of one filter is not valid for another. */
interface FeedFilter {
  readonly types: readonly string[];
  readonly externalUserId: string | null;
}

interface KeptState extends FeedState {
  readonly filter: FeedFilter;
  /** Base URL of the service that made the cursor. Another service cannot continue from it. */
  readonly apiUrl: string;
}

/** @returns undefined if there is no file yet. @throws Failure if it is not a state file, or cannot be replaced later. */
export async function readFeedState(path: string, apiUrl: string, filter: FeedFilter): Promise<FeedState | undefined> {
  let text: string;
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new Failure('write_failed', `${path} cannot be written: the folder does not exist or is not writable.`);
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
      `${path} is not a state file of "feed tail".`,
      'Choose another file, or remove it to start from the beginning.',
    );
  }
  if (state.apiUrl !== apiUrl) {
    throw usage(`${path} belongs to ${state.apiUrl}, not to ${apiUrl}.`, 'Use one state file for each service.');
  }
  if (nameFilter(state.filter) !== nameFilter(filter)) {
    throw usage(
      `${path} is for ${nameFilter(state.filter)}, not for ${nameFilter(filter)}.`,
      'Use one state file for each combination of --type and --user.',
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
    if (typeof cursor !== 'string' || typeof apiUrl !== 'string' || filter === undefined) {
      return undefined;
    }
    return { cursor, apiUrl, filter, sequence: typeof sequence === 'number' ? sequence : null };
  } catch {
    return undefined;
  }
}
