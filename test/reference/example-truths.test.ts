/**
 * Every recorded example is true: the identities of money hold to the cent, and what the specification says of a state, an event or a
 * list is what the example shows. A partner copies examples into tests of its own.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/core/cursor.ts';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { ERROR_SCHEMA } from '../../src/server/openapi/refusals.ts';
import { ORDER_STATUSES } from '../../src/wire/order.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/wire/webhook.ts';
import type { AnyJson } from '../support/any-json.ts';
import { answersOf, exchangesOf, type Part, partsOf, readExamples } from './examples.ts';
import type { Examples } from './recording.ts';

let examples: Examples;
let parts: Part[];
beforeAll(() => {
  examples = readExamples();
  parts = partsOf(examples);
});

const cents = (amount: string | number): bigint =>
  BigInt((typeof amount === 'number' ? amount.toFixed(2) : amount).replace('.', ''));
const micros = (number: number): bigint => BigInt(Math.round(number * 1e6));
const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b;

/** Fails with every part of which the check does not hold. @param least how many parts have to be there, so that the check is not empty */
function holds(those: readonly Part[], check: (node: AnyJson, part: Part) => boolean, least = 1): void {
  expect(those.length).toBeGreaterThanOrEqual(least);
  expect(
    those.filter((part) => !check(part.node, part)).map(({ at, node }) => `${at} ${JSON.stringify(node)}`),
  ).toEqual([]);
}

const having = (...fields: string[]) => parts.filter(({ node }) => fields.every((field) => field in node));
const whole = (operationId: string) =>
  parts.filter(({ at, field }) => field === '' && at.startsWith(`${operationId} `) && !at.includes(']'));
const events = (type: string) =>
  parts.filter(({ at, field }) => at.startsWith(`${type} "`) && field === 'data').map((part) => part);
/** Orders as they are read, on pages too. */
const orders = () => having('orderId', 'settlementState', 'operatorMoney', 'createdAt');
const quotes = () => having('quoteId', 'expiresAt', 'operatorMoney');
/** Money of buys, wherever it stands. */
const buys = () => having('authorizationAmount', 'tradeAmount');
const items = () => having('sequence', 'cursor', 'detail');

describe('money', () => {
  // contract 2.1
  test('authorizationAmount = actualDebit + releaseAmount', () => {
    holds(
      having('authorizationAmount', 'actualDebit', 'releaseAmount'),
      (one) => cents(one.authorizationAmount) === cents(one.actualDebit) + cents(one.releaseAmount),
      30,
    );
  });

  // contract 2.2
  test('actualDebit = tradeAmount + platformFee + venueFee', () => {
    const fills = having('actualDebit', 'sellProceeds').filter(({ node }) => node.actualDebit !== null);
    holds(
      [...buys(), ...fills],
      (one) => cents(one.actualDebit) === cents(one.tradeAmount) + cents(one.platformFee) + cents(one.venueFee),
      30,
    );
  });

  // contract 2.3
  test('sellProceeds = notional - platformFee - venueFee', () => {
    const net = (notional: string | number, { sellProceeds, platformFee, venueFee }: AnyJson) =>
      cents(sellProceeds) === cents(notional) - cents(platformFee) - cents(venueFee);
    const sells = (some: Part[]) => some.filter(({ node }) => node.operatorExitMoney !== null);
    holds(sells(orders()), (one) => net(one.notional, one.operatorExitMoney), 3);
    holds(sells(quotes()), (one) => net(one.tradeAmount, one.operatorExitMoney));
    holds(
      having('fillQuantity').filter(({ node }) => node.action === 'sell'),
      (one) => net(one.fillMoney.tradeAmount, one.fillMoney),
    );
    holds(
      items().filter(({ node }) => node.type === 'position.exited'),
      ({ money, detail }) => net(Math.floor(detail.quantity * detail.exitPrice * 100 + 1e-6) / 100, money),
    );
  });

  test('the difference of an order of which nothing was filled is released whole', () => {
    const undone = orders().filter(
      ({ node }) =>
        node.operatorMoney !== null &&
        (node.settlementState === 'pending' || ['rejected', 'cancelled'].includes(node.status)),
    );
    holds(
      undone,
      ({ operatorMoney: money }) => money.actualDebit === '0.00' && money.releaseAmount === money.authorizationAmount,
      8,
    );
  });

  test('the platform fee of a buy is its rate of the stake, rounded up, and of a part its share', () => {
    holds(
      quotes().filter(({ node }) => node.action === 'buy'),
      ({ stake, platformFeeBps, operatorMoney: money }) =>
        cents(money.platformFee) === ceilDiv(cents(stake) * BigInt(platformFeeBps), 10_000n) &&
        cents(money.tradeAmount) === cents(stake) - cents(money.platformFee),
    );
    holds(
      orders().filter(({ node }) => node.operatorMoney !== null && node.settlementState === 'settled'),
      ({ stake, platformFeeBps, operatorMoney: money }) => {
        const fee = ceilDiv(cents(stake) * BigInt(platformFeeBps), 10_000n);
        const spent = cents(money.tradeAmount) + cents(money.venueFee);
        const share = ceilDiv(fee * spent, cents(stake) - fee);
        return cents(money.platformFee) === (share < fee ? share : fee);
      },
      8,
    );
  });

  // contract 9.9
  test('a quote states the debit in full, knows no fee of the exchange, and rounds the payout down', () => {
    holds(
      quotes().filter(({ node }) => node.action === 'buy'),
      ({ stake, executionPrice, contracts, potentialPayout, operatorMoney: money, operatorExitMoney }) =>
        operatorExitMoney === null &&
        cents(money.authorizationAmount) === cents(stake) &&
        money.actualDebit === money.authorizationAmount &&
        money.releaseAmount === '0.00' &&
        money.venueFee === '0.00' &&
        money.venueFeeKnown === false &&
        micros(contracts) === (cents(money.tradeAmount) * 10_000_000_000n) / micros(executionPrice) &&
        cents(potentialPayout) === micros(contracts) / 10_000n,
    );
    holds(
      quotes().filter(({ node }) => node.action === 'sell'),
      ({ stake, operatorMoney, potentialPayout, operatorExitMoney: money }) =>
        stake === null && operatorMoney === null && cents(potentialPayout) === cents(money.sellProceeds),
    );
  });

  // contract 14.1
  test('at most one credit of a settlement is not zero, and it is what the result pays', () => {
    holds(
      having('settlementCredit', 'voidCredit'),
      (one) => one.settlementCredit === '0.00' || one.voidCredit === '0.00',
      6,
    );
    const settled = having('outcome', 'operatorMoney', 'resolution', 'contracts');
    holds(
      settled,
      ({ outcome, contracts, side, resolution, operatorMoney: { settlementCredit, voidCredit } }) =>
        outcome === 'won'
          ? resolution === side && cents(settlementCredit) === micros(contracts) / 10_000n && voidCredit === '0.00'
          : outcome === 'lost'
            ? resolution !== side && settlementCredit === '0.00' && voidCredit === '0.00'
            : resolution === 'VOID' && settlementCredit === '0.00',
      6,
    );
    expect(new Set(settled.map(({ node }) => node.outcome))).toEqual(new Set(['won', 'lost', 'void']));
  });

  test('balances add up', () => {
    holds(having('available', 'held', 'total'), (one) => cents(one.total) === cents(one.available) + cents(one.held));
    holds(
      having('available', 'committed', 'total'),
      (one) => cents(one.total) === cents(one.available) + cents(one.committed),
    );
    holds(
      having('lines', 'amount'),
      ({ lines, amount }) => {
        const sum = (side: 'debit' | 'credit') =>
          lines.reduce((all: bigint, line: AnyJson) => all + cents(line[side]), 0n);
        return sum('debit') === sum('credit') && sum('debit') === cents(amount);
      },
      3,
    );
    const [page, next] = answersOf(examples, 'listWalletEntries');
    const entries: AnyJson[] = [page, next].flatMap((one) => one?.body.entries);
    for (const [place, entry] of entries.slice(0, -1).entries()) {
      expect(cents(entry.balanceAfter) - cents(entry.amount)).toBe(cents(entries[place + 1].balanceAfter));
    }
  });
});

describe('orders', () => {
  test('there is one in every state that an order can enter, and of each action', () => {
    const reads = answersOf(examples, 'getOrder').map(({ body }) => body);
    expect([...new Set([...reads.map(({ status }) => status), 'pending'])].sort()).toEqual([...ORDER_STATUSES].sort());
    expect(new Set(reads.map(({ action, simulated }) => `${action} ${simulated}`)).size).toBe(4);
    expect(new Set(reads.map((one) => `${one.settlementState} ${one.transmissionState}`))).toEqual(
      new Set(['settled resolved', 'settled not_transmitted', 'pending not_transmitted', 'pending unknown']),
    );
  });

  const SETTLED: Readonly<Record<string, (transmission: string) => boolean>> = {
    filled: () => true,
    partially_filled: (transmission) => transmission === 'resolved',
    rejected: () => true,
    cancelled: () => true,
    reserve_pending: () => false,
    pending_venue_execution: () => false,
    submitted: () => false,
  };
  // contract 12.4
  test('settlementState and transmissionState are those of the status', () => {
    holds(
      orders(),
      ({ status, settlementState, transmissionState }) =>
        (settlementState === 'settled') === SETTLED[status]?.(transmissionState) &&
        (['reserve_pending', 'pending_venue_execution'].includes(status)
          ? transmissionState === 'not_transmitted'
          : true) &&
        (['filled', 'rejected'].includes(status) ? transmissionState === 'resolved' : true),
      15,
    );
  });

  test('a reason stands where there is one, and nowhere else', () => {
    holds(
      orders(),
      ({ status, rejectReason, cancelReason, executionRef }) =>
        (rejectReason !== null) === (status === 'rejected') &&
        (cancelReason !== null) === (status === 'cancelled') &&
        (rejectReason === null || rejectReason.includes(executionRef)),
    );
  });

  test('a buy has a stake and the money of a buy, a sell that of a sell, and a price follows from a fill', () => {
    holds(
      orders(),
      ({ action, stake, operatorMoney, operatorExitMoney, averagePrice, filledQuantity }) =>
        (action === 'buy') === (stake !== null) &&
        (action === 'buy') === (operatorMoney !== null) &&
        (action === 'sell') === (operatorExitMoney !== null) &&
        (averagePrice !== null) === filledQuantity > 0,
    );
  });

  test('fills come with fills=true alone and add up; the intent comes with single reads and look-ups', () => {
    for (const { summary, request, body } of answersOf(examples, 'getOrder')) {
      expect([summary, 'fills' in body]).toEqual([summary, request.query?.['fills'] === 'true']);
      expect(body.intent).toMatchObject({ reason: body.cancelReason });
      const sum = (body.fills ?? []).reduce((all: bigint, fill: AnyJson) => all + micros(fill.quantity), 0n);
      expect([summary, 'fills' in body ? sum : micros(body.filledQuantity)]).toEqual([
        summary,
        micros(body.filledQuantity),
      ]);
    }
    for (const { summary, request, body } of answersOf(examples, 'listOrders')) {
      for (const order of body.orders) {
        expect([summary, 'intent' in order]).toEqual([summary, request.query?.['clientOrderId'] !== undefined]);
      }
    }
  });

  test('201 creates, 200 replays', () => {
    for (const { summary, status, body } of answersOf(examples, 'createOrder')) {
      expect([summary, body.idempotentReplay]).toEqual([summary, status === 200]);
    }
    const [first, again] = answersOf(examples, 'cancelOrder').map(({ body }) => body);
    expect(again).toEqual({ ...first, idempotentReplay: true });
    expect(first.actualDebit).toBe('0.00');
  });

  test('an order is the same one wherever it is named', () => {
    const facts = new Map<string, AnyJson>();
    for (const { at, node } of having('orderId').filter((one) => one.node.orderId !== null)) {
      for (const field of [
        'executionRef',
        'clientOrderId',
        'externalUserId',
        'contractId',
        'side',
        'action',
        'authorizationAmount',
      ]) {
        if (node[field] !== undefined && node[field] !== null) {
          const key = `${node.orderId} ${field}`;
          expect([at, field, node[field]]).toEqual([at, field, facts.get(key) ?? node[field]]);
          facts.set(key, node[field]);
        }
      }
    }
    expect(facts.size).toBeGreaterThan(60);
  });
});

describe('events', () => {
  const KEYS: Readonly<Record<string, (data: AnyJson) => string>> = {
    'order.filled': (data) => `${data.orderId}:${data.fillId}`,
    'position.settled': (data) => data.positionId,
    'market.resolution_changed': (data) =>
      `${data.contractId}:${data.settledResolution}->${data.currentResolution}:op_`,
  };

  // contract 26.1
  test('there is one of each type, with the key of its type', () => {
    expect(Object.keys(examples.webhooks).sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
    for (const [type, list] of Object.entries(examples.webhooks)) {
      for (const { body } of list) {
        expect(body.type).toBe(type);
        expect(body.dedupeKey.replace(/:op_\w+$/, ':op_')).toBe(
          `${type}:${KEYS[type]?.(body.data) ?? body.data.orderId}`,
        );
      }
    }
    const emitted = items().filter(({ node }) => node.type === 'webhook.emitted');
    holds(emitted, ({ money, detail }) => money === null && detail.dedupeKey.startsWith(`${detail.eventType}:`));
  });

  test('order.intent_recorded: reserve and hold, nothing was sent, and nothing is released', () => {
    holds(events('order.intent_recorded'), (data) => data.transmitted === false && !('releaseAmount' in data));
  });

  test('order.filled: final exactly when resolved, and the money of the order is the sum of its fills', () => {
    holds(
      events('order.filled'),
      (data) =>
        data.final === (data.transmissionState === 'resolved') &&
        data.partial === (data.status === 'partially_filled') &&
        (data.operatorMoney === null) === (data.action === 'sell') &&
        (data.fillMoney.sellProceeds === null) === (data.action === 'buy') &&
        (data.fillSequence !== 1 ||
          (data.fillQuantity === data.filledQuantity &&
            (data.action === 'buy'
              ? data.fillMoney.actualDebit === data.operatorMoney.actualDebit
              : data.fillMoney.sellProceeds === data.operatorExitMoney.sellProceeds))),
      3,
    );
  });

  test('order.completed: final, with the release that its money names', () => {
    const completed = events('order.completed');
    holds(
      completed,
      (data) =>
        data.final === true &&
        data.transmissionState === 'resolved' &&
        data.releaseAmount === data.operatorMoney.releaseAmount &&
        (data.outcome === 'closed_unfilled') === (data.fillCount === 0),
    );
    expect(new Set(completed.map(({ node }) => node.outcome))).toEqual(
      new Set(['complete', 'closed_partial', 'closed_unfilled']),
    );
  });

  test('order.rejected and order.cancelled: nothing is debited, the whole authorization is released', () => {
    holds(events('order.rejected'), ({ reason, executionRef, operatorMoney: money }) => {
      return (
        reason.includes(executionRef) &&
        money.actualDebit === '0.00' &&
        money.releaseAmount === money.authorizationAmount
      );
    });
    holds(
      events('order.cancelled'),
      (data) =>
        data.actualDebit === '0.00' &&
        data.releaseAmount === data.authorizationAmount &&
        data.transmitted === false &&
        data.reason !== null &&
        data.cancellationId.startsWith('cnl_'),
    );
  });

  test('position.settled: what it pays, less what was spent, is the profit', () => {
    holds(events('position.settled'), ({ payout, costBasis, realisedPnl, operatorMoney: money }) => {
      const credit = cents(money.settlementCredit) + cents(money.voidCredit);
      return cents(payout) === credit && cents(realisedPnl) === credit - cents(costBasis);
    });
    const register = answersOf(examples, 'listSettlements').flatMap(({ body }) => body.settlements);
    for (const { node } of events('position.settled')) {
      const listed = register.find(({ positionId }: AnyJson) => positionId === node.positionId);
      expect(listed).toMatchObject({ id: node.settlementId, outcome: node.outcome, operatorMoney: node.operatorMoney });
    }
  });

  test('market.resolution_changed: from what was paid to something else', () => {
    holds(
      events('market.resolution_changed'),
      (data) =>
        data.settledResolution !== data.currentResolution && data.affectedPositionId === data.affectedPositionIds[0],
      2,
    );
  });
});

describe('ids, cursors and pages', () => {
  const PREFIXES: Readonly<Record<string, string>> = {
    orderId: 'ord_',
    quoteId: 'qt_',
    positionId: 'pos_',
    fillId: 'fil_',
    settlementId: 'stl_',
    cancellationId: 'cnl_',
    sessionId: 'ses_',
    scenarioId: 'scn_',
    depositId: 'dep_',
    keyId: 'key_',
    operatorId: 'op_',
    holderId: 'op_',
    operatorBookId: 'bk_',
    ledgerEntryId: 'ent_',
    contractId: 'ctr_',
    eventId: 'evt_',
    affectedPositionId: 'pos_',
    executionRef: 'inl_Best_',
    deliveryId: 'dlv_',
    endpointId: 'whe_',
  };
  /** A delivery is of an event of webhooks. */
  const prefixOf = (field: string, prefix: string, node: AnyJson) =>
    field === 'eventId' && 'deliveryId' in node ? 'evn_' : prefix;

  test('each id has the prefix of its kind', () => {
    const wrong = parts.flatMap(({ at, node }) =>
      Object.entries(PREFIXES).flatMap(([field, prefix]) =>
        typeof node[field] === 'string' && !node[field].startsWith(prefixOf(field, prefix, node))
          ? [`${at}.${field} ${node[field]}`]
          : [],
      ),
    );
    expect(wrong).toEqual([]);
    holds(having('dedupeKey', 'data'), (one) => one.id.startsWith('evn_'), 7);
    holds(having('settledAt'), (one) => one.id.startsWith('stl_'));
    holds(having('sourceTitle').concat(having('outcomes', 'slug')), (one) => one.id.startsWith('evt_'));
    holds(having('executionRef'), (one) => /^inl_Best_[0-9A-HJKMNP-TV-Z]{14}$/.test(one.executionRef));
    const kinds: Readonly<Record<string, string>> = {
      'order.state_changed': 'chg_',
      'order.filled': 'fil_',
      'fee.assessed': 'fee_',
      'collateral.moved': 'mov_',
      'ledger.posted': 'ent_',
      'position.exited': 'exi_',
      'position.settled': 'stl_',
      'webhook.emitted': 'evn_',
    };
    holds(items(), ({ type, id }) => id.startsWith(kinds[type]), 15);
    expect([...new Set(items().map(({ node }) => node.type))].sort()).toEqual(Object.keys(kinds).sort());
  });

  test('every cursor decodes to the list that minted it', () => {
    const cursors = parts.flatMap(({ at, node }) =>
      ['cursor', 'nextCursor'].flatMap((field) =>
        typeof node[field] === 'string' && !/^\d{4}-/.test(node[field]) ? [{ at, cursor: node[field] as string }] : [],
      ),
    );
    expect(cursors.length).toBeGreaterThan(20);
    for (const { at, cursor } of cursors) {
      const [, purpose, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      expect([at, decodeCursor(purpose, cursor, key.length)]).toEqual([at, key]);
      expect([at, encodeCursor(purpose, key)]).toEqual([at, cursor]);
    }
    holds(items(), ({ cursor, sequence }) => {
      return Buffer.from(cursor, 'base64url').toString().endsWith(`"${sequence}"]`);
    });
  });

  test('a page counts its items, and ends as its list does', () => {
    for (const list of ['orders', 'positions', 'settlements', 'entries']) {
      holds(having(list, 'count'), (one) => one.count === one[list].length);
    }
    for (const list of ['orders', 'positions', 'entries', 'deliveries']) {
      holds(having(list, 'nextCursor'), (one) => one.hasMore === (one.nextCursor !== null));
    }
    holds(having('limit', 'total', 'nextCursor'), (one) => one.hasMore === (one.nextCursor !== null));
    for (const list of ['settlements', 'items', 'events']) {
      holds(having(list, 'nextCursor'), (one) => typeof one.nextCursor === 'string');
    }
    holds(having('items', 'nextCursor'), ({ items: page }) => {
      const numbers = page.map(({ sequence }: AnyJson) => sequence);
      return numbers.every((number: number, place: number) => place === 0 || number > numbers[place - 1]);
    });
  });

  test('a second page begins after the first', () => {
    for (const [operationId, list, key] of [
      ['listEvents', 'data', 'id'],
      ['listOrders', 'orders', 'orderId'],
      ['listSettlements', 'settlements', 'id'],
      ['listWalletEntries', 'entries', 'id'],
    ] as const) {
      const answers = answersOf(examples, operationId);
      const second = answers.find(({ request }) => request.query?.['cursor'] !== undefined);
      const first = answers.find(
        ({ body }) => (body.nextCursor ?? body.pagination?.nextCursor) === second?.request.query?.['cursor'],
      );
      const ids = [first, second].flatMap((page) => page?.body[list].map((one: AnyJson) => one[key]));
      expect(ids.length).toBeGreaterThan(2);
      expect([operationId, new Set(ids).size]).toEqual([operationId, ids.length]);
    }
  });
});

describe('the rest of the specification', () => {
  // contract 6.2
  test('an outcome is tradable exactly with an executable price, and both sides make a dollar', () => {
    const outcomes = having('executableYesCents', 'tradable', 'yesCents');
    holds(
      outcomes,
      (one) =>
        one.tradable === (one.executableYesCents !== null || one.executableNoCents !== null) &&
        (one.yesCents === null || one.yesCents + one.noCents === 100) &&
        (one.executableYesCents === null ||
          one.executableNoCents === null ||
          micros(one.executableYesCents + one.executableNoCents) === micros(100 + one.spreadCents)) &&
        one.volume24h === one.volume24hContracts,
      10,
    );
    const decided = outcomes.filter(({ node }) => node.resolution !== undefined);
    holds(decided, (one) => one.executableYesCents === null && one.probability === (one.resolution === 'YES' ? 1 : 0));
  });

  test('an event is in its category, and has the fields of its kind', () => {
    holds(
      having('outcomes', 'slug'),
      (one) =>
        one.categories.includes(one.category) &&
        one.outcomeCount === one.outcomes.length &&
        one.volume === one.volumeContracts &&
        (one.category === 'sports') === (one.sport !== null) &&
        (one.category === 'sports') === (one.eventType !== null) &&
        (one.kind === 'binary') === (one.outcomes.length === 1) &&
        one.imageUrl === `/api/v1/images/${one.id}`,
      8,
    );
    for (const { body } of answersOf(examples, 'getEvent')) {
      expect([body.data.slug, 'trending' in body.data, 'rules' in body.data]).toEqual([body.data.slug, false, true]);
    }
    const five = answersOf(examples, 'getEvent').find(({ summary }) => summary.startsWith('Five minutes'))?.body.data;
    expect(five.outcomes[0]).toMatchObject({
      executableYesCents: null,
      executableNoCents: null,
      spreadCents: null,
      tradable: false,
    });
  });

  test('the stream begins with a snapshot, and its frames rise', () => {
    const text = String(answersOf(examples, 'streamPrices')[0]?.body);
    const frames = [...text.matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.+)\n\n/gm)];
    expect(frames.map(([, , event]) => event)).toEqual(['snapshot', 'price']);
    expect(Number(frames[1]?.[1])).toBeGreaterThan(Number(frames[0]?.[1]));
    const [price] = JSON.parse(frames[0]?.[3] ?? '').contracts;
    expect(Object.keys(JSON.parse(frames[1]?.[3] ?? ''))).toEqual(Object.keys(price));
  });

  test('an open position holds something, and any other nothing', () => {
    const positions = having('positionId', 'openedAt');
    holds(positions, (one) => (one.status === 'open') === one.quantity > 0);
    holds(
      positions.filter(({ node }) => node.status !== 'open'),
      (one) => one.operatorMoney.costBasis === '0.00',
    );
    expect(new Set(positions.map(({ node }) => node.status))).toEqual(new Set(['open', 'closed', 'settled']));
  });

  test('a report is ok exactly without a critical finding, and its statements add up', () => {
    holds(
      whole('getReconciliationReport'),
      ({ ok, findings, trialBalance, venueAgreement: venue }) => {
        const worst = findings.some(({ severity }: AnyJson) => severity === 'critical');
        const difference = cents(trialBalance.debits) - cents(trialBalance.credits);
        return (
          ok === !worst &&
          cents(trialBalance.difference) === difference &&
          trialBalance.balanced === (difference === 0n) &&
          venue.exits === venue.agrees + venue.disagrees + venue.unknown
        );
      },
      2,
    );
    holds(
      having('expectedEnding', 'reconciled'),
      (one) =>
        cents(one.difference) === cents(one.ending) - cents(one.expectedEnding) &&
        one.reconciled === (one.difference === '0.00') &&
        one.externalUserId === null &&
        one.operatorUserId === null,
      4,
    );
  });

  // contract 11.17
  test('the history of an order has its money: what it debits, holds and releases is what it was told to book', () => {
    holds(whole('getOrderHistory'), ({ order, timeline, instructions, webhooks }) => {
      const total = (type: string) => instructions.find((one: AnyJson) => one.type === type)?.amount ?? '0.00';
      const { authorizationAmount, actualDebit, releaseAmount } = order.operatorMoney;
      const times = timeline.map(({ at }: AnyJson) => at);
      return (
        total('hold') === authorizationAmount &&
        total('debit') === actualDebit &&
        total('release') === releaseAmount &&
        instructions.every(({ key }: AnyJson) => key === order.orderId) &&
        webhooks.every(({ orderId }: AnyJson) => orderId === order.orderId) &&
        times.toSorted().every((at: string, place: number) => at === times[place])
      );
    });
  });

  // contract 27.18
  test('a delivery that is sent again is the one that was listed, and waits', () => {
    const listed = answersOf(examples, 'listWebhookDeliveries').flatMap(({ body }) => body.deliveries);
    const [again] = answersOf(examples, 'resendWebhookDelivery');
    const { status, ...delivery } = listed.find(({ deliveryId }) => deliveryId === again?.body.deliveryId);
    expect([status, again?.body]).toEqual(['delivered', { ...delivery, status: 'pending' }]);
  });

  test('a null of the feed stands where the type says so', () => {
    holds(
      items(),
      ({ type, money, positionId, externalUserId, detail }) =>
        (['order.filled', 'webhook.emitted'].includes(type) || detail.action === 'sell') === (money === null) &&
        (type === 'ledger.posted' ? positionId === null : true) &&
        (['deposit', 'withdrawal'].includes(detail.kind) ? externalUserId === null : true),
    );
  });

  test('limits: the lower one of both levels applies, and a sum has its period', () => {
    holds(having('account', 'operator', 'effective'), ({ account, operator, effective }) => {
      const lower =
        [account.maxWagerMinor, operator.maxWagerMinor].filter((one) => one !== null).sort((a, b) => a - b)[0] ?? null;
      return (
        effective.maxWagerMinor === lower && (account.periodStakeMinor === null) === (account.periodHours === null)
      );
    });
  });

  test('a session ends when it says, in the frame too, and its token has four parts', () => {
    holds(having('token', 'tokenType'), ({ token, expiresInSeconds, usage }) => {
      return token.split('.').length === 4 && expiresInSeconds >= 60 && usage.limit === 300;
    });
    const [minted] = answersOf(examples, 'mintEmbedSession');
    const [read] = answersOf(examples, 'getFrameSession');
    expect(read?.body).toMatchObject({ sessionId: minted?.body.sessionId, expiresAt: minted?.body.expiresAt });
    expect(read?.body.expiresInSeconds).toBeLessThan(minted?.body.expiresInSeconds);
  });

  // contract 36.1
  test('a refusal has a code of its status, and each field that some codes add was met', () => {
    const fields = new Set<string>();
    const refusals = exchangesOf(examples).filter(({ exchange }) => exchange.status >= 400);
    expect(refusals.length).toBeGreaterThan(40);
    for (const { operationId, exchange } of refusals) {
      const { error, message, ...more } = exchange.body;
      expect([operationId, ERRORS[error as ErrorCode]?.status, typeof message]).toEqual([
        operationId,
        exchange.status,
        'string',
      ]);
      Object.keys(more).forEach((field) => {
        fields.add(field);
      });
    }
    expect(['error', 'message', ...fields].sort()).toEqual(Object.keys(ERROR_SCHEMA.properties).sort());
  });

  test('no exchange is named', () => {
    expect(JSON.stringify(examples)).not.toMatch(/kalshi|polymarket|gemini|paper/i);
  });
});
