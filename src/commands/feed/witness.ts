/** `feed witness`: cosigns the newest checkpoint of the feed if it continues the last one. Exit 5 if the past was rewritten. */
import { Flags } from '@oclif/core';
import { Failure } from '../../cli/failure.ts';
import { loadWitnessKey, readWitnessState, type WitnessState, writeWitnessState } from '../../cli/feed/log-files.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { ApiError } from '../../client/create-client.ts';
import { listKeyChanges } from '../../client/verify-log.ts';
import { EXIT } from '../../core/errors.ts';
import { provesConsistency } from '../../core/log-format/merkle.ts';
import {
  type Checkpoint,
  cosignCheckpoint,
  keyAt,
  NoteError,
  readCheckpoint,
  verifyCheckpoint,
  witnessKey,
} from '../../core/log-format/notes.ts';

interface Witnessed {
  ok: boolean;
  origin: string;
  /** Items of the checkpoint that was cosigned; of the last one if nothing was. */
  size: number;
  witness: string;
  verifierKey: string;
  /** Why nothing was cosigned. */
  fault: string | null;
}

export default class FeedWitness extends PartnerCommand<typeof FeedWitness> {
  static override summary = 'Cosign the newest checkpoint of the feed if it continues the last one.';
  static override description =
    'A witness keeps a key and the last checkpoint that it cosigned. It asks for a proof that the newest checkpoint continues that one, and then sends its cosignature (C2SP tlog-cosignature). The service operator binds the witness and its key first ("ledger witness add"); the first run names the key. Run it regularly on a machine of your own: a rewritten past ends with exit code 5, and the service can never have your signature for two pasts.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --key-file witness.pem --state witness.json',
    '<%= config.bin %> <%= command.id %> --key-file witness.pem --state witness.json --name witness.example.com --json',
  ];
  static override flags = {
    'key-file': Flags.string({
      helpValue: 'FILE',
      required: true,
      summary: 'Ed25519 key of the witness (PEM); made if it does not exist.',
    }),
    state: Flags.string({
      helpValue: 'FILE',
      required: true,
      summary: 'File with the last checkpoint that was cosigned.',
    }),
    name: Flags.string({
      helpValue: 'NAME',
      default: 'witness',
      summary: 'Name of the witness, without blanks and plus signs.',
    }),
  };

  async run(): Promise<Witnessed> {
    const { name, state: path } = this.flags;
    const signer = await loadWitnessKey(this.flags['key-file']);
    const last = await readWitnessState(path);
    const answer = await this.client.get('/api/v1/reconciliation/checkpoint');
    const trusted = last?.verifierKey ?? answer.verifierKey;
    const verifierKey = witnessKey(name, signer.publicKey);
    const about = { witness: name, verifierKey };
    try {
      const checkpoint = await this.#open(answer.checkpoint, trusted);
      const fault = last === undefined ? null : await this.#faultSince(last, checkpoint);
      if (fault !== null) {
        return this.#refuse({ ...about, origin: checkpoint.origin, size: last?.checkpoint.size ?? 0, fault });
      }
      await writeWitnessState(path, { verifierKey: trusted, checkpoint: answer.checkpoint });
      const cosigned = cosignCheckpoint(answer.checkpoint, name, signer, new Date());
      await this.#handIn(verifierKey, cosigned);
      this.say(`Cosigned ${checkpoint.size} items of ${checkpoint.origin}.`);
      return { ok: true, ...about, origin: checkpoint.origin, size: checkpoint.size, fault: null };
    } catch (error) {
      if (error instanceof NoteError) {
        const fault = `The checkpoint is not signed with the key of the log: ${error.message}`;
        return this.#refuse({ ...about, origin: answer.origin, size: last?.checkpoint.size ?? 0, fault });
      }
      throw error;
    }
  }

  /** A witness that nobody has bound is told what to give to the service operator. */
  async #handIn(verifierKey: string, checkpoint: string): Promise<void> {
    try {
      await this.client.post('/api/v1/reconciliation/witness', { body: { verifierKey, checkpoint } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) {
        throw new Failure(error.code, error.message, {
          next: `The service operator binds a witness with: inlay ledger witness add ${this.flags.name} ${verifierKey} --operator SLUG`,
          extra: { verifierKey },
        });
      }
      throw error;
    }
  }

  /** The key that the witness knows may have been replaced: the chain leads to the one that signed. */
  async #open(note: string, trusted: string): Promise<Checkpoint> {
    const { origin, size } = readCheckpoint(note);
    return verifyCheckpoint(note, keyAt(origin, trusted, await listKeyChanges(this.client), size));
  }

  async #faultSince({ checkpoint: last }: WitnessState, now: Checkpoint): Promise<string | null> {
    if (now.origin !== last.origin) {
      return `The checkpoint is of ${now.origin}, and the last one was of ${last.origin}`;
    }
    if (now.size < last.size) {
      return `The log went back from ${last.size} to ${now.size} items`;
    }
    if (now.size === last.size || last.size === 0) {
      return last.size === 0 || now.root.equals(last.root) ? null : `The log of ${now.size} items has another root`;
    }
    const query = { from: last.size, size: now.size };
    const { proof } = await this.client.get('/api/v1/reconciliation/proof', { query });
    const hashes = proof.map((text) => Buffer.from(text, 'base64'));
    return provesConsistency(last.size, now.size, last.root, now.root, hashes)
      ? null
      : `The first ${last.size} items are not those of the last checkpoint`;
  }

  #refuse(witnessed: Omit<Witnessed, 'ok'>): Witnessed {
    this.say(`${witnessed.fault}. Nothing was cosigned.`);
    this.endWith(EXIT.expectationFailed);
    return { ok: false, ...witnessed };
  }
}
