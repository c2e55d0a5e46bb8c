/** The changes that a tester makes over the control route: keys, contracts, books, results, the content of the lists, and the stream. */
import { asAsks, asBids } from '../../exchange/ladder.ts';
import { settle } from './match-order.ts';
import type { ControlRequest } from './requests.ts';
import { type Contract, type ExchangeState, timeOf } from './state.ts';
import type { EmulatedStream } from './stream.ts';

interface ControlPorts {
  readonly state: ExchangeState;
  readonly stream: Pick<EmulatedStream, 'fault' | 'silence' | 'say'>;
}

export function applyControl({ state, stream }: ControlPorts, request: ControlRequest): void {
  switch (request.do) {
    case 'key': {
      const { do: _, ...key } = request;
      state.accounts.set(key.keyId, {
        ...key,
        positions: new Map(),
        orders: new Map(),
        trades: [],
        settled: [],
        transfers: [],
      });
      break;
    }
    case 'contract': {
      const { do: _, strike = null, ...contract } = request;
      state.contracts.set(contract.symbol, {
        ...contract,
        strike,
        status: 'active',
        marketState: 'open',
        winner: null,
        resolvedAt: null,
        vanished: false,
        bids: [],
        asks: [],
        lastPrice: null,
      });
      break;
    }
    case 'book': {
      const contract = contractNamed(state, request.symbol);
      contract.bids = asBids(request.bids);
      contract.asks = asAsks(request.asks);
      break;
    }
    case 'status':
      setStatus(state, contractNamed(state, request.symbol), request);
      break;
    case 'vanish':
      contractNamed(state, request.symbol).vanished = request.vanished;
      break;
    case 'lists': {
      const { do: _, ...changes } = request;
      Object.assign(state, changes);
      break;
    }
    case 'pay':
      pay(state, request);
      break;
    case 'clock':
      state.clockAheadMs = request.aheadMs;
      break;
    case 'stream':
      stream.fault(request.fault);
      break;
    case 'stream_say':
      stream.say(request.message);
      break;
    case 'stream_silent':
      stream.silence(request.symbols);
      break;
  }
}

/** A transfer that the bank has not completed is listed, but is not part of the cash. */
function pay(state: ExchangeState, { keyId, amount, type, status }: Extract<ControlRequest, { do: 'pay' }>): void {
  const account = state.accounts.get(keyId);
  if (account === undefined) {
    throw new Error(`no key ${keyId}`);
  }
  if (status !== 'Pending') {
    account.cash += type === 'Withdrawal' ? -amount : amount;
  }
  if (type !== undefined) {
    account.transfers.push({ eid: account.transfers.length + 1, type, status, amount, at: timeOf(state) });
  }
}

function contractNamed(state: ExchangeState, symbol: string): Contract {
  const contract = state.contracts.get(symbol);
  if (contract === undefined) {
    throw new Error(`no contract ${symbol}`);
  }
  return contract;
}

function setStatus(
  state: ExchangeState,
  contract: Contract,
  { status, marketState, winner }: Extract<ControlRequest, { do: 'status' }>,
): void {
  contract.status = status ?? contract.status;
  contract.marketState = marketState ?? contract.marketState;
  if (status === 'settled') {
    if (winner === undefined) {
      throw new Error('a settled contract needs a winner');
    }
    contract.winner = winner;
    contract.resolvedAt = timeOf(state);
    contract.marketState = 'closed';
    contract.bids = [];
    contract.asks = [];
    settle(state, contract, winner, contract.resolvedAt);
  }
}
