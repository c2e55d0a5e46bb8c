/** The changes that a tester makes over the control route: keys, markets, books, statuses, fees, subaccounts, limits, the mode of trading and the stream. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { asBids } from '../../exchange/ladder.ts';
import { settle } from './match-order.ts';
import type { ControlRequest } from './requests.ts';
import { seriesNamed } from './series.ts';
import { ARCHIVED_LISTS, accountName, addCash, type ExchangeState, type Market, newAccount } from './state.ts';
import type { EmulatedStream } from './stream.ts';

interface ControlPorts {
  readonly state: ExchangeState;
  /** Public keys by the id of the key. */
  readonly keys: Map<string, KeyObject>;
  readonly stream: EmulatedStream;
}

export function applyControl({ state, keys, stream }: ControlPorts, request: ControlRequest): void {
  switch (request.do) {
    case 'key':
      keys.set(request.keyId, createPublicKey(request.publicKey));
      state.accounts.set(request.keyId, newAccount(request.cash, request));
      break;
    case 'market':
      state.markets.set(request.ticker, {
        ticker: request.ticker,
        eventTicker: request.eventTicker,
        title: request.title,
        rules: request.rules,
        exchangeIndex: request.exchangeIndex ?? 0,
        customStrike: request.customStrike ?? null,
        status: 'active',
        openTime: new Date(Date.now() - 3_600_000),
        closeTime: request.closeTime,
        result: '',
        settlementValue: null,
        settledAt: null,
        vanished: false,
        tick: request.tick ?? 10_000n,
        feeWaivedUntil: null,
        settlementFloor: null,
        yesBids: [],
        noBids: [],
        volume: 0n,
        lastPrice: null,
        updatedAt: new Date(),
      });
      break;
    case 'target':
      state.targets.set(request.id, request);
      break;
    case 'book': {
      const market = marketOf(state, request.ticker);
      market.yesBids = asBids(request.yes);
      market.noBids = asBids(request.no);
      break;
    }
    case 'status': {
      const market = marketOf(state, request.ticker);
      market.status = request.status;
      market.result = request.result ?? market.result;
      market.settlementValue = request.settlementValue ?? market.settlementValue;
      market.closeTime = request.closeTime ?? market.closeTime;
      market.updatedAt = new Date();
      if (request.status === 'finalized') {
        market.settledAt = new Date();
        settle(state, market);
      }
      break;
    }
    case 'terms': {
      const market = marketOf(state, request.ticker);
      market.tick = request.tick ?? market.tick;
      market.feeWaivedUntil = request.feeWaivedUntil ?? market.feeWaivedUntil;
      market.settlementFloor = request.settlementFloor ?? market.settlementFloor;
      market.updatedAt = new Date();
      break;
    }
    case 'series': {
      const { do: _, ticker, ...changes } = request;
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      state.series.set(ticker, { ...seriesNamed(state, ticker), ...given, updatedAt: new Date() });
      break;
    }
    case 'event': {
      const { do: _, eventTicker, ...terms } = request;
      state.events.set(eventTicker, { ...terms, updatedAt: new Date() });
      break;
    }
    case 'fee_change':
      state.feeChanges.push({ ...request, id: `change-${state.feeChanges.length + 1}` });
      break;
    case 'vanish':
      marketOf(state, request.ticker).vanished = request.vanished;
      break;
    case 'stream':
      stream.fault(request.fault);
      break;
    case 'stream_say':
      stream.say(request.message.type, request.message.msg);
      break;
    case 'stream_limits':
      stream.limit(request);
      break;
    case 'fill_reports':
      stream.disturbFills(request);
      break;
    case 'clock':
      state.clockAheadMs = request.aheadMs;
      break;
    case 'order_group':
      state.accounts.get(accountName(request.keyId, request.subaccount))?.groups.set(request.id, {
        exchangeIndex: request.exchangeIndex,
        limit: request.contracts,
        triggered: false,
        matched: [],
      });
      break;
    case 'subaccount': {
      const { scopes, regionExpiresAt } = state.accounts.get(request.keyId) ?? {};
      const account = newAccount(request.cash, { scopes, regionExpiresAt, subaccount: request.number });
      state.accounts.set(accountName(request.keyId, request.number), account);
      break;
    }
    case 'archive':
      for (const list of request.lists ?? ARCHIVED_LISTS) {
        state.cutoffs.set(list, request.before);
      }
      break;
    case 'tier':
      state.tier = {
        ...request,
        writeBurst: request.writeBurst ?? request.writePerSecond,
        enforced: request.enforced ?? false,
      };
      state.writes.clear();
      break;
    case 'trading':
      pause(state, request.active, request.exchangeIndex);
      break;
    case 'pay': {
      const account = state.accounts.get(request.keyId);
      if (account !== undefined) {
        addCash(account, 0, request.amount);
      }
      break;
    }
    case 'deposit':
    case 'withdrawal': {
      const { do: kind, keyId, amount, fee, ...move } = request;
      const account = state.accounts.get(keyId);
      account?.cashMoves.push({ ...move, kind, amount, fee, at: new Date(Date.now() + state.clockAheadMs) });
      if (account !== undefined && move.status === 'applied') {
        addCash(account, 0, (kind === 'deposit' ? amount : -amount) - fee);
      }
      break;
    }
    case 'reads':
      state.staleReads = request.stale
        ? { asOf: new Date(Date.now() + state.clockAheadMs), accounts: structuredClone(state.accounts) }
        : undefined;
      break;
    case 'refusals':
      state.flatRefusals = request.form === 'flat';
      break;
    case 'part_balance':
      state.accounts.get(request.keyId)?.cash.set(request.exchangeIndex, request.cash);
      break;
  }
}

function pause(state: ExchangeState, active: boolean, part: number | undefined): void {
  if (part === undefined) {
    state.tradingActive = active;
  } else if (active) {
    state.pausedParts.delete(part);
  } else {
    state.pausedParts.add(part);
  }
}

function marketOf(state: ExchangeState, ticker: string): Market {
  const market = state.markets.get(ticker);
  if (market === undefined) {
    throw new Error(`no market ${ticker}`);
  }
  return market;
}
