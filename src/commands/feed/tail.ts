/** `feed tail`: the reconciliation feed; on a terminal a live table, otherwise one JSON document per line. */
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { keepFeedState, readFeedState } from '../../cli/feed/feed-state.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { toJson } from '../../cli/terminal/json.ts';
import { followFeed } from '../../client/follow-feed.ts';
import type { FeedItem } from '../../client/shapes.ts';
import { EXIT } from '../../core/errors.ts';
import { FEED_ITEM_TYPES } from '../../core/fact.ts';
import { onInterrupt } from '../../core/stopping.ts';

const KEPT_ROWS = 200;
/** Head, note and the line of the prompt. */
const OTHER_LINES = 4;

export default class Tail extends PartnerCommand<typeof Tail> {
  static override summary = 'Read the reconciliation feed.';
  static override description =
    'Starts at the beginning, after --since, or at the cursor in the --state file. That cursor is stored after every written page, so a restart neither misses nor repeats an item.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --follow',
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
    user: Flags.string({ summary: 'Only items of this customer.' }),
    since: Flags.string({ summary: 'Continue after the item of this cursor.' }),
    follow: Flags.boolean({ char: 'f', default: false, summary: 'Wait for new items.' }),
    state: Flags.string({ summary: 'File that stores the cursor.' }),
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
      // what was read is written and its cursor stored before the end
      process.exitCode = EXIT.interrupted;
      stop.abort();
    };
    onInterrupt(end);
    process.once('SIGTERM', () => end(false));
    const table = process.stdout.isTTY === true && !this.jsonEnabled() ? await openTable() : undefined;
    try {
      await followFeed(this.client, {
        from: kept ?? { cursor: since ?? null, sequence: since === undefined ? 0 : null },
        types: type ?? [],
        externalUserId: user,
        once: !follow,
        signal: stop.signal,
        onWait: (why, seconds) => this.note(`${why.message} Continuing in ${seconds} s.`),
        apply: async (items, position) => {
          if (table === undefined) {
            await writeLines(items);
          } else {
            table.add(items);
          }
          if (state !== undefined) {
            await keepFeedState(state, { ...position, apiUrl: this.apiUrl, filter });
          }
        },
      });
    } finally {
      table?.close();
    }
  }
}

/** Resolves when the lines were written: only then is their cursor stored. */
async function writeLines(items: readonly FeedItem[]): Promise<void> {
  if (items.length === 0) {
    return;
  }
  const text = items.map((item) => `${toJson(item, 0)}\n`).join('');
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function openTable() {
  const { openFeedTable } = await import('../../cli/terminal/feed-table.ts');
  const table = openFeedTable();
  let kept: FeedItem[] = [];
  let seen = 0;
  return {
    add: (items: readonly FeedItem[]) => {
      seen += items.length;
      kept = [...kept, ...items].slice(-KEPT_ROWS);
      const room = Math.max(1, (process.stdout.rows ?? 24) - OTHER_LINES);
      table.show(kept.slice(-room), `${seen} items. Ctrl-C ends.`);
    },
    close: () => table.close(),
  };
}
