/** `feed verify`: checks feed items in files against a stored checkpoint, without the service. Exit 5 if they differ. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { type KeptCheckpoint, readCheckpointFile, readFeedFiles } from '../../cli/feed/log-files.ts';
import { EXIT } from '../../core/errors.ts';
import { keyAt, NoteError, verifyCheckpoint } from '../../core/log-format/notes.ts';
import { type LogFault, replayLog } from '../../core/log-format/replay-log.ts';

interface Verdict {
  ok: boolean;
  origin: string;
  size: number;
  fault: LogFault | null;
}

export default class FeedVerify extends BaseCommand<typeof FeedVerify> {
  static override summary = 'Check feed items in files against a checkpoint, without the service.';
  static override description =
    'The files must have all items from the first one on, one per line, as "feed tail" writes them. If an item does not match, the first one is printed, and the command ends with exit code 5.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> facts.jsonl --checkpoint checkpoint.json',
    '<%= config.bin %> <%= command.id %> 2026-10.jsonl 2026-11.jsonl --checkpoint checkpoint.json --key "$VERIFIER_KEY"',
  ];
  static override args = {
    file: Args.string({ required: true, multiple: true, description: 'Files of items, in order.' }),
  };
  static override flags = {
    checkpoint: Flags.string({
      helpValue: 'FILE',
      required: true,
      summary: 'File that "feed checkpoint --out" wrote.',
    }),
    key: Flags.string({
      helpValue: 'KEY',
      summary: 'Verifier key that you stored, the first or a later one; by default the key in the checkpoint file.',
    }),
  };

  async run(): Promise<Verdict> {
    const kept = await readCheckpointFile(this.flags.checkpoint);
    const { origin, size } = kept.checkpoint;
    const fault =
      this.#signatureFault(kept) ?? (await replayLog(readFeedFiles(this.args.file), kept.checkpoint, kept.stored));
    if (fault === null) {
      this.say(`${size} items of ${origin} match the checkpoint.`);
    } else {
      const place =
        fault.sequence === null ? '' : `Item ${fault.sequence}${fault.itemId === null ? '' : ` (${fault.itemId})`}: `;
      this.say(`${place}${fault.reason}.`);
      this.endWith(EXIT.expectationFailed);
    }
    return { ok: fault === null, origin, size, fault };
  }

  #signatureFault({ note, checkpoint, verifierKey, keys }: KeptCheckpoint): LogFault | null {
    const key = this.flags.key ?? verifierKey;
    if (key === undefined) {
      throw usage('The checkpoint file has no key.', 'Give the verifier key of the service with --key.');
    }
    try {
      verifyCheckpoint(note, keyAt(checkpoint.origin, key, keys, checkpoint.size));
      return null;
    } catch (error) {
      if (error instanceof NoteError) {
        return { sequence: null, itemId: null, reason: `The checkpoint is not signed with that key: ${error.message}` };
      }
      throw error;
    }
  }
}
