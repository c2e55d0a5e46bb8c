/** The changes that a tester makes over the control route: wallets, markets, books, the oracle, redemptions, limits, the mode of trading and the stream. */
import { createHash } from 'node:crypto';
import { asAsks, asBids } from '../../exchange/ladder.ts';
import { redeem } from './match-order.ts';
import type { ControlRequest } from './requests.ts';
import { type Account, type ExchangeState, type Market, timeOf } from './state.ts';
import type { EmulatedStream } from './stream.ts';

const UNLIMITED = 2n ** 256n - 1n;

interface ControlPorts {
  readonly state: ExchangeState;
  readonly stream: Pick<EmulatedStream, 'fault' | 'say'>;
}

export function applyControl({ state, stream }: ControlPorts, request: ControlRequest): void {
  switch (request.do) {
    case 'wallet': {
      const signer = request.signer.toLowerCase();
      state.accounts.set(signer, {
        signer,
        funder: (request.funder ?? request.signer).toLowerCase(),
        signatureType: request.signatureType,
        credentials: state.accounts.get(signer)?.credentials ?? null,
        walletCredentials: null,
        apiKeyBinding: request.apiKeyBinding,
        linked: false,
        redeemer: request.redeemer,
        closedOnly: request.closedOnly,
        counted: {},
        cash: request.cash,
        allowance: request.allowance ?? UNLIMITED,
        adapterAllowance: request.adapterAllowance ?? UNLIMITED,
        shares: new Map(),
        orders: new Map(),
        trades: [],
        activity: [],
      });
      break;
    }
    case 'market':
      state.markets.set(request.name, newMarket(request));
      break;
    case 'book': {
      const market = marketNamed(state, request.name);
      market.bids = asBids(request.bids);
      market.asks = asAsks(request.asks);
      break;
    }
    case 'terms': {
      const market = marketNamed(state, request.name);
      market.tick = request.tick ?? market.tick;
      market.minimum = request.minimum ?? market.minimum;
      market.acceptingOrders = request.acceptingOrders ?? market.acceptingOrders;
      market.feeRate = request.feeRate ?? market.feeRate;
      break;
    }
    case 'vanish':
      marketNamed(state, request.name).vanished = request.vanished;
      break;
    case 'oracle':
      setOracle(marketNamed(state, request.name), request);
      break;
    case 'pay':
      pay(state, request);
      break;
    case 'gift': {
      const [token = ''] = [marketNamed(state, request.name).tokens[request.outcome]];
      const { shares } = walletOf(state, request.signer);
      shares.set(token, (shares.get(token) ?? 0n) + request.shares);
      break;
    }
    case 'redeem':
      redeem(state);
      break;
    case 'redeemer':
      state.redeemMs = request.afterMs;
      break;
    case 'builder':
      state.builders.set(request.code, request.takerBps);
      break;
    case 'limits':
      state.limits = request;
      break;
    case 'trading':
      state.trading = request.mode;
      break;
    case 'data':
      state.dataVersions = request.versions;
      break;
    case 'settlement':
      state.minedMs = request.minedMs;
      state.finalMs = request.finalMs;
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
  }
}

function pay(state: ExchangeState, { signer, amount, type }: Extract<ControlRequest, { do: 'pay' }>): void {
  const account = walletOf(state, signer);
  account.cash += type === 'WITHDRAWAL' ? -amount : amount;
  if (type !== undefined) {
    const at = timeOf(state);
    const hash = createHash('sha256').update(`${signer} ${account.activity.length}`).digest('hex');
    account.activity.push({ type, amount, transactionHash: `0x${hash}`, at });
  }
}

function walletOf(state: ExchangeState, signer: string): Account {
  const account = state.accounts.get(signer.toLowerCase());
  if (account === undefined) {
    throw new Error(`no wallet of ${signer}`);
  }
  return account;
}

export function marketNamed(state: ExchangeState, name: string): Market {
  const market = state.markets.get(name);
  if (market === undefined) {
    throw new Error(`no market ${name}`);
  }
  return market;
}

function newMarket(request: Extract<ControlRequest, { do: 'market' }>): Market {
  const { name, eventId, title, rules, outcomes, closeTime, tick, minimum, negRisk, feeRate, protocol } = request;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const token = (side: string) => BigInt(`0x${hash(`${name} ${side}`)}`).toString();
  // the id of an outcome of the second version is the condition of 31 bytes and one more byte
  const condition = protocol === 'v2' ? hash(name).slice(0, 62) : hash(name);
  const position = (side: '00' | '01') => BigInt(`0x${condition}${side}`).toString();
  return {
    conditionId: `0x${condition}`,
    eventId: eventId ?? String(BigInt(`0x${hash(`event ${name}`).slice(0, 8)}`)),
    title,
    rules,
    outcomes,
    tokens: protocol === 'v2' ? [position('00'), position('01')] : [token('yes'), token('no')],
    closeTime,
    tick,
    minimum,
    negRisk,
    protocol,
    feeRate,
    vanished: false,
    closed: false,
    acceptingOrders: true,
    oracle: null,
    oracleHistory: [],
    payout: null,
    closedAt: null,
    bids: [],
    asks: [],
    lastPrice: null,
  };
}

/** Trading stays open while a result is proposed or disputed. */
function setOracle(market: Market, { status, payout, silent }: Extract<ControlRequest, { do: 'oracle' }>): void {
  if (status === 'resolved' && payout === undefined) {
    throw new Error('a resolved market needs a payout');
  }
  if (!silent) {
    market.oracle = status === 'withdrawn' ? null : status;
  }
  if (status !== 'withdrawn' && !silent) {
    market.oracleHistory.push(status);
  }
  if (status === 'resolved' && payout !== undefined) {
    market.payout = payout;
    market.closed = true;
    market.acceptingOrders = false;
    market.closedAt = new Date();
    market.bids = [];
    market.asks = [];
  }
}
