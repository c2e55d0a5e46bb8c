/** Checkpoints and proofs of an operator's feed (contract 24.3): additions of ours to the contract. */
import { z } from 'zod';
import { timestamp } from '../money.ts';

const hash = (what: string) => z.string().describe(`${what} SHA-256, base64.`);
const wholeNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, 'a whole number from 1')
  .transform(Number);
const parameter = (description: string) => wholeNumber.optional().meta({ type: 'integer', minimum: 1, description });

export const cosignedCheckpoint = z
  .object({
    witness: z.string().describe('Name of the witness.'),
    verifierKey: z.string().describe('Its key, bound to the name by its first cosignature.'),
    size: z.int().min(1).describe('Size of the log that it cosigned.'),
    checkpoint: z.string().describe('The checkpoint with the signature of the witness alone.'),
    cosignedAt: timestamp('When it signed, by its own clock.'),
  })
  .meta({ id: 'CosignedCheckpoint' });

export const feedCheckpoint = z
  .object({
    origin: z.string().describe('`inlay/<operatorId>`.'),
    size: z.int().min(0).describe('Number of the newest item that the checkpoint covers.'),
    root: hash('Root of the Merkle tree over the items 1 to `size` (RFC 6962).'),
    checkpoint: z.string().describe('The signed note: C2SP tlog-checkpoint, Ed25519.'),
    verifierKey: z
      .string()
      .describe('Verifier key of the signer in the form of C2SP signed-note. Keep your own copy of it.'),
    signedAt: timestamp('When the checkpoint was signed.'),
    witnesses: z
      .array(cosignedCheckpoint)
      .describe('The newest checkpoint that each witness cosigned; usually an earlier one than this.'),
  })
  .meta({ id: 'FeedCheckpoint' });

const logKey = z
  .object({
    size: z.int().min(0).describe('Items in the log when the key took over: it signs checkpoints of more items.'),
    previousKey: z.string().nullable().describe('Verifier key before; null if it was lost and could not sign.'),
    verifierKey: z.string().describe('The verifier key that took over.'),
    compromised: z.boolean().describe('The key before was given up because others may have it.'),
    note: z.string().describe('The signed note that names the new key, with the signatures of both keys.'),
  })
  .meta({ id: 'LogKey' });

export const logKeys = z
  .object({
    origin: z.string().describe('`inlay/<operatorId>`.'),
    keys: z.array(logKey).describe('Every change of the key, in order; empty while the log has its first key.'),
  })
  .meta({ id: 'LogKeys' });

export const witnessRequest = z.strictObject({
  verifierKey: z
    .string()
    .max(300)
    .describe(
      'Verifier key of a witness that the service operator has bound: C2SP signed-note, type 4 (tlog-cosignature).',
    ),
  checkpoint: z.string().max(4_000).describe('A checkpoint of this log with the signature of the witness.'),
});

export const feedProofQuery = z
  .strictObject({
    sequence: parameter('Proves that the log holds the item of this number.'),
    from: parameter('Proves that the log of this size is the beginning of the log of `size`.'),
    size: parameter('Size of the log; that of the newest checkpoint where it is left out.'),
  })
  .refine(({ sequence, from }) => (sequence === undefined) !== (from === undefined), {
    message: 'exactly one of sequence and from',
    path: ['sequence'],
  });

export const feedProof = z
  .object({
    origin: z.string().describe('`inlay/<operatorId>`.'),
    kind: z.enum(['inclusion', 'consistency']).describe('What is proven.'),
    sequence: z.int().optional().describe('Inclusion: the number of the item; its leaf index plus one.'),
    leafHash: hash('Inclusion: hash of the leaf, which is the item in RFC 8785 form without `cursor`.').optional(),
    from: z.int().optional().describe('Consistency: size of the smaller log.'),
    fromRoot: hash('Consistency: root of the smaller log.').optional(),
    size: z.int().describe('Size of the log.'),
    root: hash('Root of the log of that size.'),
    proof: z.array(hash('Node.')).describe('The proof of RFC 6962, 2.1.1 or 2.1.2, in its order.'),
  })
  .meta({ id: 'FeedProof' });
