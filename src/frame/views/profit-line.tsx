/** The profit of what is over, as a line over the positions in the order of their ends. Only booked amounts; nothing is valued. */
import type { Position } from '../../wire/position.ts';
import type { Settlement } from '../../wire/reconciliation/settlement.ts';
import { day } from '../format.ts';
import { Gain } from '../parts/money.tsx';
import { t } from '../texts/texts.ts';
import { decimal, minorOf } from '../trading/estimate.ts';

const WIDTH = 300;
const HEIGHT = 60;

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
      <Line totals={totals.map(Number)} />
    </section>
  );
}

/** One step a position: many may end in one moment. Above zero is up. */
function Line({ totals }: { readonly totals: readonly number[] }) {
  const top = Math.max(0, ...totals);
  const height = Math.max(1, top - Math.min(0, ...totals));
  const y = (total: number) => Math.round(((top - total) / height) * HEIGHT * 10) / 10;
  const points = totals.map((total, place) => `${Math.round((place / (totals.length - 1)) * WIDTH)} ${y(total)}`);
  return (
    <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="zero" d={`M0 ${y(0)} H${WIDTH}`} />
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
