/** The profit of what is over, as a line over the positions in the order of their ends. Only booked amounts; nothing is valued. */
import type { Position } from '../../wire/position.ts';
import type { Settlement } from '../../wire/reconciliation.ts';
import { day } from '../format.ts';
import { Gain } from '../parts/money.tsx';
import { ProfitPath } from '../parts/profit-path.tsx';
import { t } from '../texts/texts.ts';
import { decimal, minorOf } from '../trading/estimate.ts';

interface ProfitLineProps {
  /** Closed or settled. */
  readonly positions: readonly Position[];
  readonly settlements: ReadonlyMap<string, Settlement>;
}

export function ProfitLine({ positions, settlements }: ProfitLineProps) {
  const ends = positions
    .map(({ positionId, updatedAt, operatorMoney }) => ({
      at: Date.parse(settlements.get(positionId)?.settledAt ?? updatedAt),
      minor: minorOf(settlements.get(positionId)?.lifetimeRealisedPnl ?? operatorMoney.realisedPnl),
    }))
    .sort((a, b) => a.at - b.at);
  const [first] = ends;
  if (first === undefined || ends.length < 2) {
    return null;
  }
  const totals = [0n];
  for (const { minor } of ends) {
    totals.push((totals.at(-1) ?? 0n) + minor);
  }
  return (
    <section class="total profit" aria-label={t('profitOfPast')}>
      <dl>
        <div>
          <dt>{t('profitOfPast')}</dt>
          <dd class="large">
            <Gain amount={decimal(totals.at(-1) ?? 0n)} />
          </dd>
        </div>
        <div>
          <dt>{t('firstEnd')}</dt>
          <dd>{day(first.at)}</dd>
        </div>
      </dl>
      {/* One step a position: many may end in one moment. */}
      <ProfitPath points={totals.map((total, place) => [place, Number(total)] as const)} />
    </section>
  );
}
