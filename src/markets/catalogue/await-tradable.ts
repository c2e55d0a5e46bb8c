/**
 * Waits until the catalogue has a contract that can be traded. A first start fills it a few seconds after the API begins to respond.
 * `up` loads this file only once it waits.
 */
import type { Clock } from '../../core/time.ts';
import type { Board } from '../board/board.ts';
import type { BoardContract } from '../event.ts';
import { publishedPrice } from '../prices/price-rules.ts';
import { summarize } from './event-summary.ts';

interface TradableContract {
  readonly contractId: string;
  readonly title: string;
}

/**
 * @param limitMs how long to wait, in milliseconds
 * @param signal ends the wait
 * @returns a contract that can be traded now, of the event that closes last; undefined if there is none
 */
export async function awaitTradable(
  board: Pick<Board, 'events' | 'onChange'>,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
): Promise<TradableContract | undefined> {
  const found = findTradable(board, clock.now());
  if (found !== undefined || signal.aborted) {
    return found;
  }
  return new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(findTradable(board, clock.now()));
    };
    const stop = board.onChange(() => {
      if (findTradable(board, clock.now()) !== undefined) {
        end();
      }
    });
    const timer = setTimeout(end, limitMs);
    signal.addEventListener('abort', end, { once: true });
  });
}

function findTradable({ events }: Pick<Board, 'events'>, now: Date): TradableContract | undefined {
  const tradable = (contract: BoardContract) => publishedPrice(contract, now).tradable;
  const last = [...events.values()]
    .filter((event) => summarize(event, now).tradable)
    .sort((one, other) => other.closesAt.getTime() - one.closesAt.getTime())[0];
  const contract = last?.contracts.find(tradable);
  return last === undefined || contract === undefined
    ? undefined
    : { contractId: contract.contractId, title: last.title };
}
