/** The exact shapes of the messages on the paper venue's feed. */
import { z } from 'zod';
import { text, time } from './values.ts';

const sequence = z.number().int().nonnegative();
export const messageShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), venue: text, version: z.number().int() }),
  z.strictObject({ type: z.literal('snapshot'), seq: sequence, books: z.array(z.unknown()) }),
  z.strictObject({ type: z.literal('books'), seq: sequence, books: z.array(z.unknown()) }),
  z.strictObject({
    type: z.literal('changes'),
    seq: sequence,
    changes: z.strictObject({ version: z.number().int(), list: z.array(z.unknown()) }),
  }),
  z.strictObject({ type: z.literal('heartbeat'), seq: sequence, at: time }),
]);
export type FeedMessage = z.output<typeof messageShape>;
