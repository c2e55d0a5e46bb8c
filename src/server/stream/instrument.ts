/**
 * One contract that somebody watches: its newest frame, and whether it has stopped. Rendered once for all watchers,
 * with no venue and nothing of any customer in it.
 */

import { renderPrice } from '../../markets/catalogue/render-event.ts';
import type { BoardContract } from '../../markets/contract.ts';
import { publishedPrice } from '../../markets/prices/price-rules.ts';
import type { PriceView } from '../../wire/catalogue.ts';
import { eventFrame, type Frame } from './frame.ts';
import type { Group } from './group.ts';

export interface Instrument {
  readonly contractId: string;
  readonly groups: Set<Group>;
  /** What the newest frame says, as JSON text. */
  json: string;
  /** Undefined until the first change after somebody began to watch. */
  frame: Frame | undefined;
  /** Trading has stopped, and `closed` was said. */
  stopped: boolean;
  /** Milliseconds; passing it stops trading without any change on the board. */
  closesAt: number;
}

export function createInstrument(contract: BoardContract, now: Date): Instrument {
  const view = viewOf(contract, now);
  return {
    contractId: contract.contractId,
    groups: new Set(),
    json: JSON.stringify(view),
    frame: undefined,
    stopped: view.tradingClosed,
    closesAt: contract.closesAt.getTime(),
  };
}

/**
 * Takes in what the board says now.
 * @param contract undefined where the board has dropped it: it has stopped.
 * @returns whether there is a new frame to send.
 */
export function updateInstrument(
  instrument: Instrument,
  contract: BoardContract | undefined,
  now: Date,
  nextId: () => number,
): boolean {
  const view = contract === undefined ? dropped(instrument) : viewOf(contract, now);
  const json = JSON.stringify(view);
  if (json === instrument.json) {
    return false;
  }
  const stopsNow = view.tradingClosed && !instrument.stopped;
  const saidClosed = view.tradingClosed && instrument.stopped;
  instrument.json = json;
  instrument.stopped = view.tradingClosed;
  instrument.closesAt = contract?.closesAt.getTime() ?? instrument.closesAt;
  // `closed` is the last that is said of a contract until it trades again.
  if (saidClosed) {
    return false;
  }
  instrument.frame = eventFrame(stopsNow ? 'closed' : 'price', nextId(), json);
  return true;
}

function viewOf(contract: BoardContract, now: Date): PriceView {
  return renderPrice(contract.contractId, publishedPrice(contract, now));
}

function dropped(instrument: Instrument): PriceView {
  const last = JSON.parse(instrument.json) as PriceView;
  return {
    ...last,
    tradeable: false,
    tradingClosed: true,
    executableYesCents: null,
    executableNoCents: null,
    spreadCents: null,
  };
}
