/**
 * Our account at Kalshi, as the port reads it: orders and fills since a moment, positions, settled listings, cash and transfers; and
 * the order groups, which are the switch that stops our orders at the exchange itself.
 */
import { z } from 'zod';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { MICROS_PER_CENT } from '../../money/decimal.ts';
import { said } from '../adapter.ts';
import type { FillReports } from '../fill-reports.ts';
import { serverTime } from '../http.ts';
import {
  type AccountCheck,
  isOurId,
  type Note,
  type VenueAccount,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
  type VenueTransfer,
} from '../port.ts';
import { expectShape, micros, microsDecimal, misfit, noteFields } from '../shapes.ts';
import { inspectKalshi, verifyKalshi } from './doctor.ts';
import { hasEnded, kalshiOrderLists, readFill, sideOf } from './orders.ts';
import { DEFAULT_PART, type KalshiParts } from './parts.ts';
import { type KalshiRest, readReadSide, STATUS_PATH, type Subaccount } from './rest.ts';
import {
  type KalshiFill,
  type KalshiOrder,
  kalshiDeposits,
  kalshiPositions,
  kalshiSettlements,
  kalshiStreamFill,
  kalshiWithdrawals,
  readableFills,
  readableOrders,
} from './shapes.ts';
import { openKalshiStream, STREAM_PATH } from './stream.ts';

export function kalshiAccount(
  venue: string,
  rest: KalshiRest,
  parts: KalshiParts,
  note: Note,
  reports: FillReports<KalshiFill>,
  subaccount: Subaccount,
  settings: KalshiSettings,
): VenueAccount {
  const { streamUrl, orderGroups } = settings;
  const lists = kalshiOrderLists(venue, rest, subaccount);
  async function orders(since: Date): Promise<readonly KalshiOrder[]> {
    const raw = await lists.ordersSince(seconds(since));
    noteFields(note, 'kalshi', 'Order', raw);
    return readableOrders(venue, raw, (ourId) => ourId != null && isOurId(ourId));
  }
  /** A fill of one of our orders must be readable; any other belongs to another sender. */
  const readFills = (raw: readonly unknown[], found: readonly KalshiOrder[]): KalshiFill[] => {
    noteFields(note, 'kalshi', 'Fill', raw);
    const ours = new Set(found.filter((one) => isOurId(one.client_order_id ?? '')).map((one) => one.order_id));
    return readableFills(venue, raw, (orderId) => ours.has(orderId));
  };
  const positions = (path: string, filter: Readonly<Record<string, string>>) =>
    lists.all(path, filter, kalshiPositions, (body) => body.market_positions);

  const groups = orderGroups.size === 0 ? undefined : openOrderGroups(venue, rest, orderGroups, subaccount);
  /** Empty while the exchange does not respond; other lines of `doctor` report that. */
  const namedParts = () =>
    parts.all().then(
      (all) => all.map(({ part }) => part),
      () => [],
    );
  const readTime = async () => serverTime(venue, await rest.get(STATUS_PATH));
  return {
    inspect: async () => [
      ...(await inspectKalshi(venue, rest, parts, settings, readTime)),
      ...(groups ? await groups.inspect(await namedParts()) : []),
    ],
    ...(groups ? { halt: () => groups.halt(), release: () => groups.release() } : {}),
    verify: () => verifyKalshi(venue, rest, streamUrl),
    serverTime: readTime,
    tradingPaused: () => parts.allPaused(),
    listsAsOf: async () => (await readReadSide(venue, rest)).asOf,
    async ordersSince(since) {
      const found = await orders(since);
      const filled = readFills(await lists.fillsSince(seconds(since)), found);
      return found.map((order) => asOrder(order, filled, note));
    },
    async fillsSince(since) {
      const [raw, found] = [await lists.fillsSince(seconds(since)), await orders(since)];
      const filled = readFills(raw, found);
      const ourIds = new Map(found.map((order) => [order.order_id, order.client_order_id]));
      return filled.map((fill) =>
        // a fill does not carry our id; a fill of an order that is not in the list belongs to an order that we do not know
        readFill(fill, ourIds.get(fill.order_id) ?? fill.order_id, sideOf(fill).side),
      );
    },
    positions: async () =>
      (await positions('/portfolio/positions', { count_filter: 'position' }))
        .filter((position) => position.position_fp !== 0n)
        .map(
          ({ ticker, position_fp: net }): VenuePosition => ({
            listingId: ticker,
            side: net > 0n ? 'YES' : 'NO',
            quantityMicros: net > 0n ? net : -net,
          }),
        ),
    async settledSince(since) {
      const settled = await lists.all(
        '/portfolio/settlements',
        { min_ts: String(seconds(since)) },
        kalshiSettlements,
        (body) => body.settlements,
      );
      const { market_settled_ts: settledTs, market_positions_last_updated_ts: positionsTs } = await lists.cutoffs();
      if (since >= settledTs && since >= (positionsTs ?? settledTs)) {
        return settled.map(({ ticker }) => ticker);
      }
      // archived positions are not in the list of settlements; the live list is read first, so a position that moves meanwhile is not missed
      const live = await positions('/portfolio/positions', { settlement_status: 'settled' });
      const archived = await positions('/historical/positions', {});
      const paid = [...live, ...archived].filter(({ last_updated_ts: at }) => at == null || at >= since);
      return [...new Set([...settled, ...paid].map(({ ticker }) => ticker))];
    },
    follow(onChange) {
      const stream = openKalshiStream(
        { url: streamUrl, headers: () => rest.handshake(STREAM_PATH) },
        {
          opened: (connection) => connection.send('subscribe', { channels: ['fill', 'user_orders'] }),
          message: (message) => {
            if (message.type === 'subscribed' && message.msg.channel === 'fill') {
              reports.opened();
            }
            const fill = message.type === 'fill' ? kalshiStreamFill.safeParse(message.msg).data : undefined;
            if (fill !== undefined) {
              // the message about its order names our id
              reports.report(fill.order_id, fill.fill_id, fill.count_fp, fill);
            } else if (message.type === 'fill' || message.type === 'user_order') {
              const { client_order_id: ourId } = message.msg;
              onChange(ourId === undefined ? [] : [ourId]);
            }
          },
          alive: () => undefined,
          ended: () => reports.ended(),
          invalid: () => undefined,
          note,
        },
      );
      return {
        close() {
          stream.close();
          reports.ended();
        },
      };
    },
    async transfersSince() {
      // the lists are those of the whole account, whose money arrives in the primary one
      if ((await subaccount()) !== 0) {
        return [];
      }
      const deposits = await lists.whole('/portfolio/deposits', kalshiDeposits, (body) => body.deposits);
      const withdrawals = await lists.whole('/portfolio/withdrawals', kalshiWithdrawals, (body) => body.withdrawals);
      return [
        ...deposits.flatMap((one) => asTransfer('deposit', one, note)),
        ...withdrawals.flatMap((one) => asTransfer('withdrawal', one, note)),
      ];
    },
    balanceMicros: async () => (await parts.balance()).balance_dollars,
    parts: () => parts.all(),
  };
}

function asOrder(order: KalshiOrder, fills: readonly KalshiFill[], note: Note): VenueOrder {
  const { side, action } = sideOf(order);
  const ourId = order.client_order_id ?? order.order_id;
  const own: VenueFill[] = fills
    .filter((fill) => fill.order_id === order.order_id)
    .map((fill) => readFill(fill, ourId, side));
  return {
    ourId,
    venueOrderId: order.order_id,
    listingId: order.ticker,
    state: hasEnded(order, note) ? 'closed' : 'working',
    reason: null,
    part: order.exchange_index ?? DEFAULT_PART,
    side,
    action,
    quantityMicros: order.initial_count_fp,
    fills: own,
  };
}

type CashMove = z.output<typeof kalshiDeposits>['deposits'][number];

/**
 * No document states whether a fee is taken from the amount or comes on top of it. The lower balance is assumed, because a surplus at the
 * exchange is only a warning.
 */
function asTransfer(kind: VenueTransfer['kind'], move: CashMove, note: Note): VenueTransfer[] {
  if (!MOVE_STATUSES.has(move.status)) {
    note(`status of a ${kind}`, move.status);
  }
  if (move.status === 'failed') {
    return [];
  }
  const cents = BigInt(kind === 'deposit' ? move.amount_cents - move.fee_cents : -move.amount_cents - move.fee_cents);
  const amountMicros = cents * MICROS_PER_CENT;
  const at = new Date((move.finalized_ts ?? move.created_ts) * 1_000);
  const { id } = move;
  const moved = { id, kind, amountMicros, at, pending: move.status !== 'applied' && move.status !== 'returned' };
  // the returned amount may have been in the balance before
  return move.status === 'returned'
    ? [moved, { id: `${kind} ${id}`, kind: 'return', amountMicros: -amountMicros, at, pending: false }]
    : [moved];
}

const MOVE_STATUSES: ReadonlySet<string> = new Set(['applied', 'failed', 'pending', 'returned']);

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}

const kalshiOrderGroup = z.looseObject({ is_auto_cancel_enabled: z.boolean(), contracts_limit_fp: micros.nullish() });

interface OrderGroups {
  /** The exchange accepts no order of the groups from now on. All groups are switched, even if one fails. @throws VenueUnknown */
  halt(): Promise<void>;
  /** The exchange accepts orders again. @throws VenueUnknown */
  release(): Promise<void>;
  /** Checks of each group, and a warning about parts that have none. */
  inspect(parts: readonly number[]): Promise<readonly AccountCheck[]>;
}

/**
 * The order groups of Kalshi. Each order names the group of its part. The exchange refuses these orders while the group is triggered,
 * and after more contracts than its limit were matched within 15 seconds. A group works on its own part only. The service operator
 * creates the groups at the exchange.
 *
 * @param groups by part, the id of its group
 * @param subaccount to which the groups belong
 */
function openOrderGroups(
  venue: string,
  rest: KalshiRest,
  groups: ReadonlyMap<number, string>,
  subaccount: Subaccount,
): OrderGroups {
  async function pathOf(part: number, groupId: string, verb = ''): Promise<string> {
    const query = new URLSearchParams({
      exchange_index: String(part),
      subaccount: String(await subaccount()),
    });
    return `/portfolio/order_groups/${encodeURIComponent(groupId)}${verb}?${query}`;
  }

  async function put(verb: 'trigger' | 'reset'): Promise<void> {
    const turned = await Promise.allSettled(
      [...groups].map(async ([part, groupId]) => {
        const { status, body } = await rest.call('PUT', await pathOf(part, groupId, `/${verb}`), { body: {} });
        if (status !== 200) {
          throw misfit(venue, `order group ${verb}`, `status ${status}`, body);
        }
      }),
    );
    for (const one of turned) {
      if (one.status === 'rejected') {
        throw one.reason;
      }
    }
  }

  function check(part: number, groupId: string): Promise<AccountCheck> {
    return said(groups.size === 1 ? 'order group' : `order group of part ${part}`, async () => {
      const { status, body } = await rest.get(await pathOf(part, groupId));
      if (status === 404) {
        const detail = `${groupId} does not exist on part ${part}; set INLAY_KALSHI_ORDER_GROUP to one that does`;
        return { ok: false, detail };
      }
      const { contracts_limit_fp: limit } = expectShape(venue, 'order group', kalshiOrderGroup, body);
      return limit == null
        ? { ok: false, warning: true, detail: `${groupId} has no limit of contracts` }
        : { ok: true, detail: `at most ${microsDecimal(limit)} contracts in 15 seconds` };
    });
  }

  return {
    halt: () => put('trigger'),
    release: () => put('reset'),
    async inspect(parts) {
      const checks = await Promise.all([...groups].map(([part, groupId]) => check(part, groupId)));
      const without = parts.filter((part) => !groups.has(part));
      if (without.length === 0) {
        return checks;
      }
      const detail = `orders on ${without.length === 1 ? 'part' : 'parts'} ${without.join(', ')} name no order group`;
      return [...checks, { name: 'order groups', ok: false, warning: true, detail }];
    },
  };
}
