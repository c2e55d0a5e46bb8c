/**
 * The control endpoints of a paper venue, for the service operator's commands and for tests. Trading does not use them.
 */
import { z } from 'zod';
import { openVenueHttp } from '../http.ts';
import { refusalShape } from './shapes.ts';

const TIMEOUT_MS = 5_000;

const level = z.tuple([z.string(), z.string()]);
const listingState = z.object({
  listingId: z.string(),
  sequence: z.number(),
  bids: z.array(level),
  asks: z.array(level),
  /** The time of the book, if the book was made older on request. */
  asOf: z.iso.datetime().optional(),
  frozen: z.boolean(),
  status: z.string(),
  feeBps: z.number().nullable(),
  next: z.array(z.string()),
});
/** The state of a listing at the paper venue; prices and sizes are decimal texts. */
export type PaperListingState = z.output<typeof listingState>;

/** The control requests for a listing. */
export type PaperRequest = 'book' | 'age' | 'thaw' | 'next' | 'fee' | 'resolve' | 'reopen';

export interface PaperControl {
  /**
   * @returns undefined if the venue has no such listing
   * @throws with the venue's message if it refuses
   */
  tell(command: PaperRequest, body: object): Promise<PaperListingState | undefined>;
  /** Listings with a frozen book, a script or a fee of their own. */
  list(): Promise<PaperListingState[]>;
  close(): Promise<void>;
}

/** @param origin `http://127.0.0.1:1234` @param token of core/secret.ts */
export function openPaperControl(venue: string, origin: string, token: string): PaperControl {
  const http = openVenueHttp(venue, refusalShape, token);
  return {
    async tell(command, body) {
      const answer = await http.call('POST', `${origin}/control/${command}`, TIMEOUT_MS, { body });
      if (answer.status === 404) {
        return undefined;
      }
      if (answer.status !== 200) {
        const { message } = z.object({ message: z.string().default('refused') }).parse(answer.body);
        throw new Error(message);
      }
      return listingState.parse(answer.body);
    },
    async list() {
      const answer = await http.call('POST', `${origin}/control/list`, TIMEOUT_MS, { body: {} });
      return z.object({ contracts: z.array(listingState) }).parse(answer.body).contracts;
    },
    close: () => http.close(),
  };
}
