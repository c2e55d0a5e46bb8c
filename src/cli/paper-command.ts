/** Base of the `paper` commands: sends a command about a contract to its paper venue, and shows the state of the listing afterwards. */

import { type Command, Flags } from '@oclif/core';
import { withThousands } from '../core/plain-words.ts';
import { paperToken } from '../core/secret.ts';
import type { Resolution } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import {
  bookReached,
  type PaperListing,
  paperListing,
  resolutionReached,
} from '../markets/ingestion/paper-listings.ts';
import { locatePaperVenue } from '../venues/addresses.ts';
import {
  openPaperControl,
  type PaperControl,
  type PaperListingState,
  type PaperRequest,
} from '../venues/paper/control.ts';
import { VenueUnknown } from '../venues/port.ts';
import { Failure, notFound, usage } from './failure.ts';
import { OperatorCommand } from './operator-command.ts';

const REACH_MS = 5_000;
const START_SERVICE = 'Start the service: "npm start" in a clone, "inlay up" once installed.';

export const venueFlag = {
  venue: Flags.string({
    options: ['paper', 'paper-2'],
    summary: 'Paper venue that is changed if several list the contract; by default the first.',
  }),
};

export interface PaperAnswer {
  readonly contractId: string;
  readonly venue: string;
  readonly listingId: string;
  readonly status: string;
  readonly frozen: boolean;
  /** The time of the book; null if it is confirmed continuously. */
  readonly asOf: string | null;
  readonly bids: readonly { price: number; size: number }[];
  readonly asks: readonly { price: number; size: number }[];
  /** Basis points of the cost; null if unknown. */
  readonly feeBps: number | null;
  /** The outcomes of the next orders, in order. */
  readonly next: readonly string[];
}

/** Waits until a change of a listing has arrived in our own database. @returns false after the timeout */
type Reached = (sql: Sql, listing: PaperListing, state: PaperListingState) => Promise<boolean>;

export const reachedBook: Reached = (sql, listing, state) => bookReached(sql, listing, state.sequence, REACH_MS);

export const reachedResolution =
  (resolution: Resolution | null): Reached =>
  (sql, listing) =>
    resolutionReached(sql, listing, resolution, REACH_MS);

export abstract class PaperCommand<T extends typeof Command> extends OperatorCommand<T> {
  // oclif's manifest has what a command inherits from its nearest base alone
  static override needsDatabase = true;
  /**
   * Sends the venue a request about the contract of the command (`contractArgument`, `venueFlag`), and prints the state of its listing
   * afterwards.
   * @param reached waits until our own database has the new state; false after the timeout
   * @returns that state
   */
  protected async change(request: PaperRequest, body: object, reached?: Reached): Promise<PaperAnswer> {
    const { contract } = this.args as { contract: string };
    const { venue } = this.flags as { venue?: string };
    const { sql } = await this.openContext();
    const listing = await paperListing(sql, contract, venue);
    const state = await this.withControl(listing.venue, async (control) => {
      try {
        return await control.tell(request, { listingId: listing.listingId, ...body });
      } catch (error) {
        throw error instanceof VenueUnknown ? error : usage((error as Error).message);
      }
    });
    if (state === undefined) {
      throw notFound('The paper venue no longer lists this contract.', 'market_not_found');
    }
    if (reached !== undefined && !(await reached(sql, listing, state))) {
      this.note('The venue has the change, but the service has not received it yet. Check that a worker is running.');
    }
    const answer = answerOf(listing, state);
    this.#printState(answer);
    return answer;
  }

  protected async withControl<R>(venue: string, act: (control: PaperControl) => Promise<R>): Promise<R> {
    const { sql, secrets } = await this.openContext();
    const origin = await locatePaperVenue(sql)(venue);
    if (origin === undefined) {
      throw new Failure('venue_unavailable', `The venue ${venue} has never run here.`, { next: START_SERVICE });
    }
    const control = openPaperControl(venue, origin, paperToken(secrets));
    try {
      return await act(control);
    } catch (error) {
      if (error instanceof VenueUnknown) {
        throw new Failure('venue_unavailable', `The venue ${venue} does not answer.`, { next: START_SERVICE });
      }
      throw error;
    } finally {
      await control.close();
    }
  }

  #printState(answer: PaperAnswer): void {
    this.printFacts({
      contract: answer.contractId,
      status: answer.status,
      book: answer.asOf !== null ? `held, as of ${answer.asOf}` : answer.frozen ? 'held' : 'moving',
      bids: levels(answer.bids),
      asks: levels(answer.asks),
      fee: answer.feeBps === null ? 'unknown' : `${answer.feeBps} bps`,
      next: answer.next.length === 0 ? '-' : answer.next.join(', '),
    });
  }
}

export function answerOf(listing: PaperListing, state: PaperListingState): PaperAnswer {
  const read = (side: PaperListingState['bids']) =>
    side.map(([price, size]) => ({ price: Number(price), size: Number(size) }));
  return {
    contractId: listing.contractId,
    venue: listing.venue,
    listingId: listing.listingId,
    status: state.status,
    frozen: state.frozen,
    asOf: state.asOf ?? null,
    bids: read(state.bids),
    asks: read(state.asks),
    feeBps: state.feeBps,
    next: state.next,
  };
}

function levels(side: PaperAnswer['bids']): string {
  return side.length === 0 ? '-' : side.map(({ price, size }) => `${price} x ${withThousands(size)}`).join(', ');
}

/** @param text such as `0.57:1000,0.56`; a level without a size gets the size of the venue. @throws usage, exit 2 */
export function parseLevels(flag: string, text: string | undefined): string[][] {
  if (text === undefined || text.trim() === '') {
    return [];
  }
  return text.split(',').map((part) => {
    const [price = '', size, ...rest] = part.trim().split(':');
    const good = (value: string) => /^[0-9]*\.?[0-9]+$/.test(value);
    if (
      !good(price) ||
      Number(price) > 1 ||
      (size !== undefined && !(good(size) && Number(size) > 0)) ||
      rest.length > 0
    ) {
      throw usage(`--${flag}: "${part}" is not P or P:SIZE with P from 0 to 1.`);
    }
    return size === undefined ? [tidy(price)] : [tidy(price), tidy(size)];
  });
}

/** Writes `.5` and `0.50` as the venue does. @throws usage, exit 2, for more than six decimal places */
function tidy(value: string): string {
  const [whole = '', places = ''] = value.split('.');
  const kept = places.replace(/0+$/, '');
  if (kept.length > 6) {
    throw usage(`"${value}" has more than six decimal places.`);
  }
  return `${whole.replace(/^0+(?=.)/, '') || '0'}${kept === '' ? '' : `.${kept}`}`;
}
