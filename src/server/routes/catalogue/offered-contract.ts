/** Finds a contract that an audience is offered. */
import { refuse } from '../../../core/errors.ts';
import type { Board } from '../../../markets/board/board.ts';
import type { Audience } from '../../../markets/catalogue/event-index.ts';
import type { BoardContract } from '../../../markets/event.ts';

/** @throws market_not_found, also if its event is not offered: the two must look the same */
export function offeredContract(board: Board, audience: Audience, contractId: string): BoardContract {
  const contract = board.contracts.get(contractId);
  const event = contract === undefined ? undefined : board.events.get(contract.eventId);
  if (contract === undefined || event === undefined || !audience.offers(event)) {
    throw refuse('market_not_found');
  }
  return contract;
}
