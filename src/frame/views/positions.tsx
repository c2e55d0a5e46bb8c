/** What the customer holds and what became of the rest. A position has no market value here; an exit is worth what is quoted. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Position, PositionPage } from '../../wire/position.ts';
import { useLoading } from '../loading.ts';
import { Empty, Failure, Skeletons } from '../parts/states.tsx';
import { watchPrices } from '../prices.ts';
import { go } from '../route.ts';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { traded } from '../trading/deal.ts';
import { findMarkets, type HeldMarket } from './held-markets.ts';
import { PositionCard } from './position-card.tsx';

const SHOWN = 100;
/** Settlements happen without the customer's doing. */
const REFRESH_MS = 10_000;

interface Held {
  readonly positions: readonly Position[];
  readonly markets: ReadonlyMap<string, HeldMarket>;
}

export function Positions() {
  const past = useSignal(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { locale } = presentation.value;
  const { state, again } = useLoading(
    async (signal): Promise<Held> => {
      const { positions } = await call<PositionPage>(`/positions?limit=${SHOWN}`, { signal });
      return {
        positions,
        markets: await findMarkets(
          positions.map(({ contractId }) => contractId),
          locale,
          signal,
        ),
      };
    },
    [locale, traded.value],
  );
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    const timer = window.setInterval(again, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, []);
  const { data, failed } = state.value;
  const shown = (data?.positions ?? []).filter(({ status }) => (status === 'open') !== past.value);
  const ids = past.value ? '' : shown.map(({ contractId }) => contractId).join(',');
  useEffect(() => watchPrices(ids === '' ? [] : ids.split(',')), [ids]);
  return (
    <section aria-labelledby="positions-title">
      <h1 id="positions-title" class="view-title" tabIndex={-1} ref={heading}>
        {t('positions')}
      </h1>
      <div class="chips" role="group" aria-label={t('positions')}>
        {[false, true].map((which) => (
          <button
            type="button"
            key={String(which)}
            class="chip"
            aria-pressed={past.value === which}
            onClick={() => {
              past.value = which;
            }}
          >
            {t(which ? 'pastPositions' : 'openPositions')}
          </button>
        ))}
      </div>
      {data === null && failed !== null ? (
        <Failure code={failed} again={again} />
      ) : data === null ? (
        <Skeletons count={3} kind="card" />
      ) : shown.length === 0 ? (
        <Empty
          icon="wallet"
          title={t(past.value ? 'noPast' : 'noPositions')}
          hint={past.value ? '' : t('noPositionsHint')}
        >
          <button type="button" class="button plain" onClick={() => go({ name: 'markets' })}>
            {t('browse')}
          </button>
        </Empty>
      ) : (
        <ul class="cards held">
          {shown.map((position) => (
            <PositionCard
              key={position.positionId}
              position={position}
              market={data.markets.get(position.contractId)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
