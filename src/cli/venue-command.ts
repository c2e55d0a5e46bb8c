/** Base of the `venues` commands: opens the configured venues, and prints what an account holds beside our books. */
import type { Command } from '@oclif/core';
import { measureOffset, systemClock, systemTicks } from '../core/time.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { type BothSides, type ComparedCash, type ComparedPosition, netOf } from '../trading/account/our-side.ts';
import type { Venue, VenueAccount } from '../venues/port.ts';
import { openDeployedVenues, type Venues } from '../venues/registry.ts';
import { notFound, usage } from './failure.ts';
import { OperatorCommand } from './operator-command.ts';

export interface PositionLine {
  readonly contractId: string | null;
  readonly listingId: string;
  /** Net contracts of both sides; negative for NO. */
  readonly theirs: number;
  readonly ours: number;
}

export function positionLine({ contractId, listingId, theirs, ours }: ComparedPosition): PositionLine {
  const contracts = (sides: BothSides) => jsonNumber(netOf(sides), MICRO_SCALE);
  return { contractId, listingId, theirs: contracts(theirs), ours: contracts(ours) };
}

export interface CashLine {
  /** Dollars at the venue. */
  readonly balance: number;
  /** The range that the books expect. The bounds differ while an order is under way or a payout may still come. */
  readonly expectedLeast: number;
  readonly expectedMost: number;
  /** Dollars at the venue that no fact in the books explains; they are expected to stay until a transfer is recorded. */
  readonly unexplained: number;
  readonly agrees: boolean;
}

export function cashLine(cash: ComparedCash | null): CashLine | null {
  return (
    cash && {
      balance: jsonNumber(cash.theirs, MICRO_SCALE),
      expectedLeast: jsonNumber(cash.least, MICRO_SCALE),
      expectedMost: jsonNumber(cash.most, MICRO_SCALE),
      unexplained: jsonNumber(cash.unexplained, MICRO_SCALE),
      agrees: cash.difference === 0n,
    }
  );
}

/** A part of a venue that has its own collateral. */
export interface PartLine {
  readonly part: number;
  /** Dollars of our account there. */
  readonly balance: number;
  /** Whether the venue takes no orders there now. */
  readonly paused: boolean;
  /** Listings there that are open for trading. */
  readonly openMarkets: number;
}

export abstract class VenueCommand<T extends typeof Command> extends OperatorCommand<T> {
  // oclif's manifest has what a command inherits from its nearest base alone
  static override needsDatabase = true;
  #venues: Venues | undefined;

  protected async openVenues(): Promise<Venues> {
    const context = await this.openContext();
    this.#venues ??= openDeployedVenues(context);
    return this.#venues;
  }

  override async finally(error: Error | undefined): Promise<void> {
    await this.#venues?.close();
    await super.finally(error);
  }

  /** @throws if the venue does not exist or is read-only. */
  protected async tradingVenue(name: string): Promise<{ name: string; venue: Venue; account: VenueAccount }> {
    const venue = (await this.openVenues()).list.find((one) => one.name === name);
    if (venue === undefined) {
      throw notFound(`No venue ${name} among those of INLAY_VENUES: ${this.environment.venues.join(', ')}.`);
    }
    if (venue.account === null) {
      throw usage(`${name} is read-only; it has no account.`);
    }
    return { name, venue, account: venue.account };
  }

  /** @returns the venue's clock minus ours in milliseconds; null if it does not answer. */
  protected async offsetOf(account: VenueAccount): Promise<number | null> {
    try {
      const ports = { clock: systemClock, ticks: systemTicks };
      return Math.round((await measureOffset(ports, () => account.serverTime())).offsetMs);
    } catch {
      return null;
    }
  }

  protected printParts(parts: readonly PartLine[]): Promise<void> {
    return this.printList(
      parts,
      [
        { name: 'part', value: (one) => one.part },
        { name: 'balance', align: 'right', value: (one) => one.balance },
        { name: 'paused', value: (one) => one.paused },
        { name: 'openMarkets', align: 'right', value: (one) => one.openMarkets },
      ],
      'The venue names no parts.',
    );
  }

  protected printPositions(positions: readonly PositionLine[]): Promise<void> {
    return this.printList(
      positions,
      [
        { name: 'contractId', value: (one) => one.contractId },
        { name: 'listingId', value: (one) => one.listingId },
        { name: 'theirs', align: 'right', value: (one) => one.theirs },
        { name: 'ours', align: 'right', value: (one) => one.ours },
      ],
      'Nothing is held.',
    );
  }
}
