/** What open positions would bring now, one by one and together. An estimate at the present bids, fees included; a quote decides. */
import type { CatalogueEvent, EventDetail, Outcome } from '../../wire/catalogue.ts';
import type { Position } from '../../wire/position.ts';
import { signedPercent } from '../format.ts';
import { Gain, Money } from '../parts/figures.tsx';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { account } from '../trading/deal.ts';
import { decimal, microContracts, minorOf, percentOf, proceedsOf } from '../trading/estimate.ts';
import { bidCents } from '../trading/price.ts';

export interface Worth {
  /** Cents; null if there is no bid now. */
  readonly worthMinor: bigint | null;
  readonly gainMinor: bigint | null;
  readonly gainPercent: number;
}

export function worthOf(position: Position, market: HeldMarket | undefined): Worth {
  const bid = market === undefined ? null : bidCents(market.outcome, position.side);
  const worthMinor = proceedsOf(microContracts(position.quantity), bid, account.value?.platformFeeBps ?? 0);
  const cost = minorOf(position.operatorMoney.costBasis);
  const gainMinor = worthMinor === null ? null : worthMinor - cost;
  return { worthMinor, gainMinor, gainPercent: gainMinor === null ? 0 : percentOf(gainMinor, cost) };
}

interface HoldingsProps {
  readonly positions: readonly Position[];
  readonly markets: ReadonlyMap<string, HeldMarket>;
}

/** The total above the positions. */
export function Holdings({ positions, markets }: HoldingsProps) {
  const all = positions.map((position) => ({ position, worth: worthOf(position, markets.get(position.contractId)) }));
  const priced = all.filter(({ worth }) => worth.worthMinor !== null);
  const cost = sum(all.map(({ position }) => minorOf(position.operatorMoney.costBasis)));
  const worth = sum(priced.map((one) => one.worth.worthMinor ?? 0n));
  const gain = sum(priced.map((one) => one.worth.gainMinor ?? 0n));
  const pricedCost = worth - gain;
  return (
    <section class="total" aria-label={t('totalHeld')}>
      <dl>
        <div>
          <dt>{t('worthNow')}</dt>
          <dd class="large">
            <Money amount={decimal(worth)} />
          </dd>
        </div>
        <div>
          <dt>{t('result')}</dt>
          <dd>
            <Gain amount={decimal(gain)} percent={signedPercent(percentOf(gain, pricedCost))} />
          </dd>
        </div>
        <div>
          <dt>{t('staked')}</dt>
          <dd>
            <Money amount={decimal(cost)} />
          </dd>
        </div>
      </dl>
      {priced.length < all.length && <p class="note">{t('partlyPriced')}</p>}
    </section>
  );
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

// Finds the names of the contracts of positions. A position has only the id of its contract, and the market may no
// longer be listed.

export interface HeldMarket {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
}

interface PublicMarket {
  readonly data: { readonly event: { readonly id: string } };
}

const AT_ONCE = 4;
const eventOf = new Map<string, string>();

/** Events are read again at this interval: a session has 300 calls a minute, and a customer may have positions in many markets. */
const KEPT_MS = 60_000;
const read = new Map<string, { readonly at: number; readonly event: CatalogueEvent }>();

/** @returns names by contract id, without those that are not found. */
export async function findMarkets(
  contractIds: readonly string[],
  locale: string,
  signal: AbortSignal,
): Promise<Map<string, HeldMarket>> {
  const wanted = [...new Set(contractIds)];
  await inTurns(
    wanted.filter((id) => !eventOf.has(id)),
    async (id) => {
      const response = await fetch(`/api/markets/${encodeURIComponent(id)}`, { credentials: 'omit', signal });
      if (response.ok) {
        eventOf.set(id, ((await response.json()) as PublicMarket).data.event.id);
      }
    },
  );
  const found = new Map<string, HeldMarket>();
  const events = [...new Set(wanted.flatMap((id) => eventOf.get(id) ?? []))];
  await inTurns(events, async (id) => {
    const event = await readEvent(id, locale, signal);
    for (const outcome of event.outcomes) {
      found.set(outcome.id, { event, outcome });
    }
  });
  return found;
}

/** The events of these ids, in any order; those that are not found are left out. */
export async function readEvents(
  ids: readonly string[],
  locale: string,
  signal: AbortSignal,
): Promise<readonly CatalogueEvent[]> {
  const events: CatalogueEvent[] = [];
  await inTurns(ids, async (id) => {
    events.push(await readEvent(id, locale, signal));
  });
  return events;
}

async function readEvent(id: string, locale: string, signal: AbortSignal): Promise<CatalogueEvent> {
  const key = `${locale} ${id}`;
  const had = read.get(key);
  if (had !== undefined && Date.now() - had.at < KEPT_MS) {
    return had.event;
  }
  const { data } = await call<EventDetail>(`/events/${encodeURIComponent(id)}?locale=${locale}`, { signal });
  read.set(key, { at: Date.now(), event: data });
  return data;
}

/** A few at a time; failed ones are left out. */
export async function inTurns<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await act(item).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
