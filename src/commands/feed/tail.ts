/** `feed tail`: the reconciliation feed; on a terminal a live table, otherwise one JSON document per line. */
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { keepFeedState, readFeedState } from '../../cli/feed/feed-state.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { toJson } from '../../cli/terminal/printable.ts';
import { followFeed } from '../../client/follow-feed.ts';
import type { FeedItem } from '../../client/shapes.ts';
import { EXIT } from '../../core/errors.ts';
import { onInterrupt } from '../../core/processes.ts';
import { FEED_ITEM_TYPES } from '../../core/terms.ts';

const KEPT_ROWS = 200;
/** Items that are shown first on a terminal. */
const SHOWN_FIRST = 20;
const LARGEST_PAGE = 500;
/** Lines of the screen for the head, the note and the prompt. */
const OTHER_LINES = 4;

export default class Tail extends PartnerCommand<typeof Tail> {
  static override summary = 'Read the reconciliation feed.';
  static override description =
    'On a terminal the list starts with the last items, otherwise with the first, so that a program misses none; --last, --since and --state choose another start. The cursor in the --state file is stored after every written page, so a restart neither misses nor repeats an item.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --follow',
    '<%= config.bin %> <%= command.id %> --last 50 --user u-123',
    '<%= config.bin %> <%= command.id %> --state feed.state --follow >> facts.jsonl',
    '<%= config.bin %> <%= command.id %> --type position.settled --type position.exited --user u-123',
  ];
  static override flags = {
    type: Flags.option({
      options: FEED_ITEM_TYPES,
      multiple: true,
      helpValue: 'TYPE',
      summary: 'Only items of this type; repeatable.',
    })(),
    user: Flags.string({ helpValue: 'USER', summary: 'Only items of this customer.' }),
    since: Flags.string({ helpValue: 'CURSOR', summary: 'Cursor of an item; the list starts after it.' }),
    last: Flags.integer({
      min: 1,
      max: 999,
      helpValue: 'N',
      exclusive: ['since', 'state'],
      summary: 'Number of items before the end at which to start.',
    }),
    follow: Flags.boolean({ char: 'f', default: false, summary: 'Wait for new items.' }),
    state: Flags.string({
      helpValue: 'FILE',
      summary: 'File in which the cursor is stored, and from which a restart continues.',
    }),
  };
  protected override readonly handlesSignals = true;

  async run(): Promise<void> {
    const { type, user, since, follow, state } = this.flags;
    const filter = { types: type ?? [], externalUserId: user ?? null };
    const kept = state === undefined ? undefined : await readFeedState(state, this.apiUrl, filter);
    if (kept !== undefined && since !== undefined) {
      throw usage(`${state} has a cursor.`, 'Omit --since, or remove the file.');
    }
    const stop = new AbortController();
    const end = (again: boolean) => {
      if (again) {
        process.exit(EXIT.interrupted);
      }
      // the items that were read are written, and their cursor is stored, before the end
      process.exitCode = EXIT.interrupted;
      stop.abort();
    };
    onInterrupt(end);
    process.once('SIGTERM', () => end(false));
    const table =
      process.stdout.isTTY === true && !this.jsonEnabled() ? await openTable(() => stop.abort()) : undefined;
    const isFree = since === undefined && state === undefined;
    const last = this.flags.last ?? (table !== undefined && isFree ? SHOWN_FIRST : undefined);
    const write = async (items: readonly FeedItem[]) => (table === undefined ? writeLines(items) : table.add(items));
    try {
      const start = last === undefined ? undefined : await this.writeLast(last, write);
      await followFeed(this.client, {
        from: start ?? kept ?? { cursor: since ?? null, sequence: since === undefined ? 0 : null },
        types: type ?? [],
        externalUserId: user,
        once: !follow,
        signal: stop.signal,
        onWait: (why, seconds) => this.note(`${why.message} Continuing in ${seconds} s.`),
        apply: async (items, position) => {
          await write(items);
          if (state !== undefined) {
            await keepFeedState(state, { ...position, apiUrl: this.apiUrl, filter });
          }
        },
      });
    } finally {
      table?.close();
    }
  }

  /** @returns where the feed continues */
  private async writeLast(
    last: number,
    write: (items: readonly FeedItem[]) => Promise<void>,
  ): Promise<{ cursor: string; sequence: null }> {
    const { type = [], user } = this.flags;
    const { items, nextCursor } = await this.read(() =>
      this.client.get('/api/v1/reconciliation/feed', {
        query: { last, limit: LARGEST_PAGE, type: [...type], externalUserId: user },
      }),
    );
    await write(items);
    return { cursor: nextCursor, sequence: null };
  }
}

/** Resolves when the lines are written; their cursor is stored only then. */
async function writeLines(items: readonly FeedItem[]): Promise<void> {
  if (items.length === 0) {
    return;
  }
  const text = items.map((item) => `${toJson(item, 0)}\n`).join('');
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function openTable(onQuit: () => void) {
  const { openFeedTable } = await import('../../cli/terminal/feed-view.ts');
  const table = openFeedTable((key) => (key === 'q' ? onQuit() : undefined));
  let kept: FeedItem[] = [];
  let seen = 0;
  const show = () => {
    const room = Math.max(1, (process.stdout.rows ?? 24) - OTHER_LINES);
    table.show(kept.slice(-room), `${seen} items. q quits.`);
  };
  process.stdout.on('resize', show);
  return {
    add: (items: readonly FeedItem[]) => {
      seen += items.length;
      kept = [...kept, ...items].slice(-KEPT_ROWS);
      show();
    },
    close: () => {
      process.stdout.off('resize', show);
      table.close();
    },
  };
}
