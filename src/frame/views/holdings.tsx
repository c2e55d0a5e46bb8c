/** The worth of open positions, one by one and in total: an estimate at the present bids, less fees. Only a quote is binding. */
import type { Position } from '../../wire/position.ts';
import { signedPercent } from '../format.ts';
import type { HeldMarket } from '../market/find-markets.ts';
import { Gain, Money } from '../parts/figures.tsx';
import { t } from '../texts/texts.ts';
import { account } from '../trading/deal.ts';
import { decimal, microContracts, minorOf, percentOf, proceedsOf } from '../trading/estimate.ts';
import { bidCents } from '../trading/price.ts';

interface Worth {
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
