/** Our account at Kalshi: the exchange's clock, orders and fills since a moment, positions and cash. */
import { z } from 'zod';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import {
  type AccountCheck,
  isOurId,
  type Note,
  type VenueAccount,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
  VenueUnknown,
} from '../port.ts';
import { expectShape, micros, microsDecimal, misfit, noteFields } from '../shapes.ts';
import { inspectKalshi, verifyKalshi } from './doctor.ts';
import { hasEnded, kalshiOrderLists, readFill, sideOf } from './orders.ts';
import { DEFAULT_PART, type KalshiParts } from './parts.ts';
import type { KalshiRest } from './rest.ts';
import {
  type KalshiFill,
  type KalshiOrder,
  kalshiPositions,
  kalshiSettlements,
  readableFills,
  readableOrders,
} from './shapes.ts';
import { openKalshiStream, STREAM_PATH } from './stream.ts';

/** The `date` header names whole seconds: the moment lies half a second later in the mean. */
const HALF_SECOND_MS = 500;

export function kalshiAccount(
  venue: string,
  rest: KalshiRest,
  parts: KalshiParts,
  note: Note,
  {
    subaccount,
    streamUrl,
    keyId,
    orderGroups,
  }: Pick<KalshiSettings, 'subaccount' | 'streamUrl' | 'keyId' | 'orderGroups'>,
): VenueAccount {
  const lists = kalshiOrderLists(venue, rest, subaccount);
  async function orders(since: Date): Promise<readonly KalshiOrder[]> {
    const raw = await lists.ordersSince(seconds(since));
    noteFields(note, 'kalshi', 'Order', raw);
    return readableOrders(venue, raw, (ourId) => ourId != null && isOurId(ourId));
  }
  /** A fill of an order of ours has to be read; another one is somebody else's. */
  const readFills = (raw: readonly unknown[], found: readonly KalshiOrder[]): KalshiFill[] => {
    noteFields(note, 'kalshi', 'Fill', raw);
    const ours = new Set(found.filter((one) => isOurId(one.client_order_id ?? '')).map((one) => one.order_id));
    return readableFills(venue, raw, (orderId) => ours.has(orderId));
  };
  const positions = (path: string, filter: Readonly<Record<string, string>>) =>
    lists.all(path, filter, kalshiPositions, (body) => body.market_positions);

  const groups = orderGroups.size === 0 ? undefined : openOrderGroups(venue, rest, orderGroups, subaccount);
  /** None while the exchange does not answer, which other lines of `doctor` say. */
  const namedParts = () =>
    parts.all().then(
      (all) => all.map(({ part }) => part),
      () => [],
    );
  return {
    inspect: async () => [
      ...(await inspectKalshi(venue, rest, parts, keyId ?? '')),
      ...(groups ? await groups.inspect(await namedParts()) : []),
    ],
    ...(groups ? { halt: () => groups.halt(), release: () => groups.release() } : {}),
    verify: () => verifyKalshi(venue, rest, streamUrl),
    async serverTime() {
      const { date } = await rest.get('/exchange/status');
      if (date === null) {
        throw new VenueUnknown(venue, 'status: no date header', { notTaken: true });
      }
      return new Date(date.getTime() + HALF_SECOND_MS);
    },
    tradingPaused: () => parts.allPaused(),
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
        // no id of ours comes with a fill: a fill of an order that is not in the list belongs to no order that we know
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
      // what was archived is in no list of settlements; read in this order, a position that moves meanwhile is not missed
      const live = await positions('/portfolio/positions', { settlement_status: 'settled' });
      const archived = await positions('/historical/positions', {});
      const paid = [...live, ...archived].filter(({ last_updated_ts: at }) => at == null || at >= since);
      return [...new Set([...settled, ...paid].map(({ ticker }) => ticker))];
    },
    follow: (onChange) =>
      openKalshiStream(
        { url: streamUrl, headers: () => rest.handshake(STREAM_PATH) },
        {
          opened: (connection) => connection.send('subscribe', { channels: ['fill', 'user_orders'] }),
          message: (message) => {
            if (message.type === 'fill' || message.type === 'user_order') {
              const { client_order_id: ourId } = message.msg;
              onChange(ourId === undefined ? [] : [ourId]);
            }
          },
          alive: () => undefined,
          ended: () => undefined,
          invalid: () => undefined,
          note,
        },
      ),
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

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}

const kalshiOrderGroup = z.looseObject({ is_auto_cancel_enabled: z.boolean(), contracts_limit_fp: micros.nullish() });

export interface OrderGroups {
  /** From now on the exchange takes no order of the groups. All are turned, whatever one answers. @throws VenueUnknown */
  halt(): Promise<void>;
  /** Orders are taken again. @throws VenueUnknown */
  release(): Promise<void>;
  /** What `doctor` says of each group, and of parts that have none. */
  inspect(parts: readonly number[]): Promise<readonly AccountCheck[]>;
}

/**
 * Order groups of Kalshi as a switch at the exchange itself: orders of a part name its group, and while that is triggered, or after more
 * contracts than its limit were matched in 15 seconds, the exchange takes none of them. A group lives on one part and does nothing on
 * another. They were created by a person.
 *
 * @param groups the id of the group of each part
 * @param subaccount that the groups belong to; undefined: the primary one
 */
function openOrderGroups(
  venue: string,
  rest: KalshiRest,
  groups: ReadonlyMap<number, string>,
  subaccount: number | undefined,
): OrderGroups {
  function pathOf(part: number, groupId: string, verb = ''): string {
    const query = new URLSearchParams({
      exchange_index: String(part),
      ...(subaccount === undefined ? {} : { subaccount: String(subaccount) }),
    });
    return `/portfolio/order_groups/${encodeURIComponent(groupId)}${verb}?${query}`;
  }

  async function put(verb: 'trigger' | 'reset'): Promise<void> {
    const turned = await Promise.allSettled(
      [...groups].map(async ([part, groupId]) => {
        const { status, body } = await rest.call('PUT', pathOf(part, groupId, `/${verb}`), { body: {} });
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

  async function check(part: number, groupId: string): Promise<AccountCheck> {
    const name = groups.size === 1 ? 'order group' : `order group of part ${part}`;
    try {
      const { status, body } = await rest.get(pathOf(part, groupId));
      if (status === 404) {
        const detail = `${groupId} does not exist on part ${part}; set INLAY_KALSHI_ORDER_GROUP to one that does`;
        return { name, ok: false, detail };
      }
      const { contracts_limit_fp: limit } = expectShape(venue, 'order group', kalshiOrderGroup, body);
      return limit == null
        ? { name, ok: false, warning: true, detail: `${groupId} has no limit of contracts` }
        : { name, ok: true, detail: `at most ${microsDecimal(limit)} contracts in 15 seconds` };
    } catch (error) {
      return { name, ok: false, detail: `the exchange does not say: ${(error as Error).message}` };
    }
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
