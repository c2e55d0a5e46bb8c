/** What a witness keeps: its key, and the last checkpoint that it cosigned. Both files are readable by their owner alone. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmod, open, readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import {
  type Checkpoint,
  NoteError,
  type NoteSigner,
  readCheckpoint,
  signerFromKey,
} from '../../core/log-format/notes.ts';
import { usage } from '../failure.ts';

/** The key in the file. It is made if there is no file. @throws Failure exit 2 if the file is not an Ed25519 key */
export async function loadWitnessKey(path: string): Promise<NoteSigner> {
  const pem = await readOrNothing(path);
  if (pem === undefined) {
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeWhole(path, privateKey.export({ format: 'pem', type: 'pkcs8' }) as string);
    return signerFromKey(privateKey);
  }
  try {
    return signerFromKey(createPrivateKey(pem));
  } catch (error) {
    throw usage(
      `${path} is not an Ed25519 key: ${(error as Error).message}.`,
      'Name a file that does not exist to make one.',
    );
  }
}

const shape = z.object({ verifierKey: z.string(), checkpoint: z.string() });

export interface WitnessState {
  /** Key of the log, as the witness first saw it. */
  readonly verifierKey: string;
  readonly checkpoint: Checkpoint;
}

/** @returns undefined if the witness has cosigned nothing yet. @throws Failure exit 2 if the file is not a witness's state */
export async function readWitnessState(path: string): Promise<WitnessState | undefined> {
  const text = await readOrNothing(path);
  if (text === undefined) {
    return undefined;
  }
  try {
    const { verifierKey, checkpoint } = shape.parse(JSON.parse(text));
    return { verifierKey, checkpoint: readCheckpoint(checkpoint) };
  } catch (error) {
    if (error instanceof NoteError || error instanceof SyntaxError || error instanceof z.ZodError) {
      throw usage(`${path} is not the state of a witness.`, 'Name the file that "inlay feed witness" wrote.');
    }
    throw error;
  }
}

/** Written before the cosignature leaves: a witness never forgets what it signed. */
export async function writeWitnessState(path: string, state: z.infer<typeof shape>): Promise<void> {
  await writeWhole(path, `${JSON.stringify(state, null, 2)}\n`);
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw usage(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  try {
    const file = await open(`${path}.part`, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await chmod(`${path}.part`, 0o600);
    await rename(`${path}.part`, path);
  } catch (error) {
    throw usage(`${path} cannot be written: ${(error as Error).message}.`);
  }
}
