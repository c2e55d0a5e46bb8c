/**
 * Keeps the newest price event of a watched contract. It is rendered once for all readers, and contains no venue and
 * nothing about any customer.
 */

import { renderPrice } from '../../markets/catalogue/render-event.ts';
import type { BoardContract } from '../../markets/event.ts';
import { publishedPrice } from '../../markets/prices/price-rules.ts';
import type { PriceView } from '../../wire/catalogue.ts';
import type { Instrument } from './group.ts';
import { streamEvent } from './stream-event.ts';

export function createInstrument(contract: BoardContract, now: Date): Instrument {
  const view = viewOf(contract, now);
  return {
    contractId: contract.contractId,
    groups: new Set(),
    json: JSON.stringify(view),
    event: undefined,
    stopped: isOver(contract, now),
    closesAt: contract.closesAt.getTime(),
  };
}

/**
 * Updates the instrument from the board.
 * @param contract undefined if the board no longer has it: trading has stopped
 * @returns whether there is a new event to send
 */
export function updateInstrument(
  instrument: Instrument,
  contract: BoardContract | undefined,
  now: Date,
  nextId: () => number,
): boolean {
  const view = contract === undefined ? dropped(instrument) : viewOf(contract, now);
  const json = JSON.stringify(view);
  const isStopped = contract === undefined || isOver(contract, now);
  const wasStopped = instrument.stopped;
  if (json === instrument.json && isStopped === wasStopped) {
    return false;
  }
  instrument.json = json;
  instrument.stopped = isStopped;
  instrument.closesAt = contract?.closesAt.getTime() ?? instrument.closesAt;
  // Nothing is sent about a contract after `closed` until it is reopened.
  if (isStopped && wasStopped) {
    return false;
  }
  instrument.event = streamEvent(isStopped ? 'closed' : 'price', nextId(), json);
  return true;
}

/** Whether trading has stopped for good; a pause ends (contract 8.6). */
function isOver({ status, tradingClosed, closesAt }: BoardContract, now: Date): boolean {
  return tradingClosed || (status !== 'open' && status !== 'paused') || closesAt <= now;
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
