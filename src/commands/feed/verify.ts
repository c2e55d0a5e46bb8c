/** `feed verify`: checks feed items in files against a stored checkpoint, without asking the service. Exit 5 if they differ. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { type KeptCheckpoint, readCheckpointFile } from '../../cli/feed/checkpoint-file.ts';
import { readFeedFiles, readKeyChanges, readRecordFile } from '../../cli/feed/feed-files.ts';
import { EXIT } from '../../core/errors.ts';
import { verifyCheckpoint } from '../../core/transparency-log/checkpoint.ts';
import { KeyChangeRefused, keyAt } from '../../core/transparency-log/log-keys.ts';
import { readSealedRecords, verifySealedRecords } from '../../core/transparency-log/record-seals.ts';
import { type LogFault, replayLog } from '../../core/transparency-log/replay-log.ts';
import { type RecordFault, replayRecords } from '../../core/transparency-log/replay-records.ts';
import { NoteError } from '../../core/transparency-log/signed-note.ts';

interface Verdict {
  ok: boolean;
  origin: string;
  size: number;
  fault: LogFault | null;
  /** Of --records. */
  records?: { ok: boolean; count: number; fault: RecordFault | null };
}

export default class FeedVerify extends BaseCommand<typeof FeedVerify> {
  static override summary = 'Check feed items in files against a checkpoint, without asking the service.';
  static override description =
    'The files must have all items from the first one on, one per line, as "feed tail" writes them. On exit 5 the first item that does not match is named.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> facts.jsonl --checkpoint checkpoint.json',
    '<%= config.bin %> <%= command.id %> facts.jsonl --checkpoint checkpoint.json --records records.jsonl',
    '<%= config.bin %> <%= command.id %> 2026-10.jsonl 2026-11.jsonl --checkpoint checkpoint.json --key "$VERIFIER_KEY"',
  ];
  static override args = {
    file: Args.string({ required: true, multiple: true, description: 'Files of items, in order.' }),
  };
  static override flags = {
    checkpoint: Flags.string({ helpValue: 'FILE', required: true, summary: 'File of "feed checkpoint".' }),
    records: Flags.string({
      helpValue: 'FILE',
      summary:
        'File of "reconciliation export --kind records --format jsonl": checks each ledger entry, line, fill and settlement.',
    }),
    key: Flags.string({
      helpValue: 'KEY',
      summary: 'Your copy of the verifier key, the first or a later one; by default the key in the checkpoint file.',
    }),
  };

  async run(): Promise<Verdict> {
    const kept = await readCheckpointFile(this.flags.checkpoint);
    const { origin, size } = kept.checkpoint;
    const fault =
      (await this.#signatureFault(kept)) ??
      (await replayLog(readFeedFiles(this.args.file), kept.checkpoint, kept.stored));
    if (fault === null) {
      this.say(`${size} items of ${origin} match the checkpoint.`);
    } else {
      const place =
        fault.sequence === null ? '' : `Item ${fault.sequence}${fault.itemId === null ? '' : ` (${fault.itemId})`}: `;
      this.say(`${place}${fault.reason}.`);
      this.endWith(EXIT.expectationFailed);
    }
    const verdict = { ok: fault === null, origin, size, fault };
    if (this.flags.records === undefined || fault !== null) {
      return verdict;
    }
    const records = await this.#verifyRecords(this.flags.records, kept);
    return { ...verdict, ok: records.ok, records };
  }

  async #verifyRecords(path: string, kept: KeptCheckpoint): Promise<NonNullable<Verdict['records']>> {
    const { records: count, fault } = await this.#replayRecords(path, kept);
    if (fault === null) {
      this.say(`${count} records match their seals.`);
    } else {
      const place = fault.position === null ? fault.record : `${fault.record} ${fault.position}`;
      this.say(`${place}: ${fault.reason}.${fault.row === null ? '' : `\n${fault.row}`}`);
      this.endWith(EXIT.expectationFailed);
    }
    return { ok: fault === null, count, fault };
  }

  async #replayRecords(path: string, { checkpoint, records, verifierKey }: KeptCheckpoint) {
    const key = this.flags.key ?? verifierKey;
    if (records === undefined || key === undefined) {
      throw usage('The checkpoint file has no seal of records.', '"inlay feed checkpoint --out FILE" writes one.');
    }
    const { origin } = checkpoint;
    const changes = await readKeyChanges(this.args.file);
    try {
      const signing = keyAt(origin, key, changes, readSealedRecords(records).size);
      return await replayRecords(readRecordFile(path), verifySealedRecords(records, signing));
    } catch (error) {
      if (error instanceof NoteError) {
        const fault = {
          record: 'record_seals',
          position: null,
          row: null,
          reason: `the note of the seals: ${error.message}`,
        };
        return { records: 0, fault };
      }
      throw error;
    }
  }

  async #signatureFault({ note, checkpoint, verifierKey }: KeptCheckpoint): Promise<LogFault | null> {
    const key = this.flags.key ?? verifierKey;
    if (key === undefined) {
      throw usage('The checkpoint file has no key.', 'Give the verifier key of the service with --key.');
    }
    try {
      const changes = await readKeyChanges(this.args.file);
      verifyCheckpoint(note, keyAt(checkpoint.origin, key, changes, checkpoint.size));
      return null;
    } catch (error) {
      if (error instanceof KeyChangeRefused) {
        return { sequence: error.sequence, itemId: null, reason: error.message };
      }
      if (error instanceof NoteError) {
        return { sequence: null, itemId: null, reason: `The checkpoint is not signed with that key: ${error.message}` };
      }
      throw error;
    }
  }
}
