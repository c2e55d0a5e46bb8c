/** The view of a suspended customer: that the account cannot trade, and all its holdings, read only. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import type { FrameHoldings } from '../../wire/embed.ts';
import type { HeldMarket } from '../market/find-markets.ts';
import { Icon } from '../parts/pictures.tsx';
import { refusalText, Skeletons } from '../parts/states.tsx';
import { call, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { account } from '../trading/deal.ts';
import { Holdings } from './holdings.tsx';
import { PositionCard } from './position-card.tsx';

export function Suspended() {
  const { locale } = presentation.value;
  const { state } = useLoading(
    async (signal) => {
      const read = await call<FrameHoldings>(`/holdings?locale=${locale}`, { signal });
      account.value = {
        currency: 'USD',
        platformFeeBps: read.platformFeeBps,
        available: null,
        largestStake: null,
        mayBuy: false,
        maySell: false,
      };
      return read;
    },
    [locale],
  );
  const { data, failed } = state.value;
  return (
    <main class="suspended">
      <div class="note-card" role="alert">
        <span class="empty-icon">
          <Icon name="alert" />
        </span>
        <div>
          <h1 class="empty-title">{refusalText('user_suspended')}</h1>
          <p class="quiet">{t('suspendedHint')}</p>
          <button type="button" class="button plain" onClick={() => window.location.reload()}>
            {t('tryAgain')}
          </button>
        </div>
      </div>
      {data === null && failed === null && <Skeletons count={2} kind="card" />}
      {data !== null && data.positions.length > 0 && <Held holdings={data} />}
    </main>
  );
}

function Held({ holdings: { positions, settlements, events } }: { readonly holdings: FrameHoldings }) {
  const markets = marketsOf(events);
  const settled = new Map(settlements.map((settlement) => [settlement.positionId, settlement]));
  const open = positions.filter(({ status }) => status === 'open');
  const past = positions.filter(({ status }) => status !== 'open');
  return (
    <section aria-labelledby="suspended-positions">
      <h2 id="suspended-positions" class="view-title">
        {t('positions')}
      </h2>
      {open.length > 0 && <Holdings positions={open} markets={markets} />}
      <ul class="cards held">
        {[...open, ...past].map((position) => (
          <PositionCard
            key={position.positionId}
            position={position}
            market={markets.get(position.contractId)}
            settlement={settled.get(position.positionId)}
            readOnly
          />
        ))}
      </ul>
    </section>
  );
}

function marketsOf(events: readonly CatalogueEvent[]): ReadonlyMap<string, HeldMarket> {
  return new Map(events.flatMap((event) => event.outcomes.map((outcome) => [outcome.id, { event, outcome }] as const)));
}
