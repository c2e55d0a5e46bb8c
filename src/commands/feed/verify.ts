/** `feed verify`: feed items in files against a checkpoint that was kept, without asking the service. Exit 5 where they differ. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { type KeptCheckpoint, readCheckpointFile } from '../../cli/feed/checkpoint-file.ts';
import { readFeedFiles } from '../../cli/feed/feed-files.ts';
import { EXIT } from '../../core/errors.ts';
import { openCheckpoint } from '../../core/transparency-log/checkpoint.ts';
import { type LogFault, replayLog } from '../../core/transparency-log/replay-log.ts';
import { NoteError } from '../../core/transparency-log/signed-note.ts';

interface Verdict {
  ok: boolean;
  origin: string;
  size: number;
  fault: LogFault | null;
}

export default class FeedVerify extends BaseCommand<typeof FeedVerify> {
  static override summary = 'Check feed items in files against a checkpoint, without asking the service.';
  static override description =
    'The files hold all items from the first one on, one a line, as "feed tail" writes them. Exit 5 names the first item that does not fit.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> facts.jsonl --checkpoint checkpoint.json',
    '<%= config.bin %> <%= command.id %> 2026-10.jsonl 2026-11.jsonl --checkpoint checkpoint.json --key "$VERIFIER_KEY"',
  ];
  static override args = {
    file: Args.string({ required: true, multiple: true, description: 'Files of items, in their order.' }),
  };
  static override flags = {
    checkpoint: Flags.string({ required: true, summary: 'File of "feed checkpoint".' }),
    key: Flags.string({ summary: 'Verifier key that you keep; otherwise the one that the checkpoint file names.' }),
  };

  async run(): Promise<Verdict> {
    const kept = await readCheckpointFile(this.flags.checkpoint);
    const { origin, size } = kept.checkpoint;
    const fault =
      this.#signatureFault(kept) ?? (await replayLog(readFeedFiles(this.args.file), kept.checkpoint, kept.stored));
    if (fault === null) {
      this.say(`${size} items of ${origin} are those of the checkpoint.`);
    } else {
      const place =
        fault.sequence === null ? '' : `Item ${fault.sequence}${fault.itemId === null ? '' : ` (${fault.itemId})`}: `;
      this.say(`${place}${fault.reason}.`);
      this.endWith(EXIT.expectationFailed);
    }
    return { ok: fault === null, origin, size, fault };
  }

  #signatureFault({ note, verifierKey }: KeptCheckpoint): LogFault | null {
    const key = this.flags.key ?? verifierKey;
    if (key === undefined) {
      throw usage('The checkpoint file names no key.', 'Give --key the verifier key of the service.');
    }
    try {
      openCheckpoint(note, key);
      return null;
    } catch (error) {
      if (error instanceof NoteError) {
        return { sequence: null, itemId: null, reason: `The checkpoint is not signed with that key: ${error.message}` };
      }
      throw error;
    }
  }
}
