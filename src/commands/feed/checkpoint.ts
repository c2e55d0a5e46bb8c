/** `feed checkpoint`: the newest signed checkpoint of the feed, to be stored out of reach of the service. */
import { writeFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { fetchTiles } from '../../cli/feed/log-files.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { FeedCheckpoint as Checkpoint } from '../../client/shapes.ts';
import { listKeyChanges } from '../../client/verify-log.ts';

export default class FeedCheckpoint extends PartnerCommand<typeof FeedCheckpoint> {
  static override summary = 'Show the newest signed checkpoint of the feed, or write it to a file.';
  static override description =
    'A checkpoint commits the service to every item up to its size. With --out the file also has the keys of the log and the hash of each item, so that "feed verify" can name a changed item.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --out checkpoint.json',
  ];
  static override flags = {
    out: Flags.string({
      helpValue: 'FILE',
      summary: 'File to write, with the checkpoint and the hashes of all items; by default the checkpoint is printed.',
    }),
  };

  async run(): Promise<Checkpoint> {
    const checkpoint = await this.client.get('/api/v1/reconciliation/checkpoint');
    if (this.flags.out !== undefined) {
      const tiles = (await fetchTiles(this.api, checkpoint.size)).map(({ level, index, hashes }) => ({
        level,
        index,
        hashes: hashes.toString('base64'),
      }));
      await writeFile(
        this.flags.out,
        `${JSON.stringify({ ...checkpoint, keys: await listKeyChanges(this.client), tiles })}\n`,
      );
      this.note(`${this.flags.out}: ${checkpoint.size} items, signed ${checkpoint.signedAt}.`);
    } else if (!this.jsonEnabled()) {
      process.stdout.write(checkpoint.checkpoint);
    }
    return checkpoint;
  }
}
