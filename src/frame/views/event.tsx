/** One event: its chart, its outcomes by kind, and the ticket beside the event or below the selected outcome. */
import { computed, useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, EventDetail, Outcome } from '../../wire/catalogue.ts';
import { FavouriteButton } from '../market/favourites.tsx';
import { MarketState, SettlementTerms } from '../market/market-state.tsx';
import { GameMarkets, Related } from '../market/related.tsx';
import { Share } from '../market/share.tsx';
import { categoryName, EventFacts, Score } from '../parts/facts.tsx';
import { Chance } from '../parts/figures.tsx';
import { bySides } from '../parts/games.ts';
import { EventPicture, Icon } from '../parts/pictures.tsx';
import { Failure, isGone, Skeletons } from '../parts/states.tsx';
import { livePrice, watchPrices } from '../prices.ts';
import { go, hasMoved, leave, type Pick, replace, takeFocus } from '../route.ts';
import { call, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';
import { isWide, presentation } from '../theme.ts';
import { mayBuy } from '../trading/deal.ts';
import { useDraft } from '../trading/draft.ts';
import { byProbability, decidedLast, isFiveMinutes, leaderOf, mostInDoubt, winnerOf } from '../trading/price.ts';
import { Chart } from './chart.tsx';
import { CoinChart, CoinFacts, QuickTicket, QuotedChance, type SideQuotes, useCourse } from './coin.tsx';
import { Outcomes } from './outcomes.tsx';
import { BuyTicket } from './ticket.tsx';

const CHARTED = 4;
/** Status and closing time change without a price update, so the event is reloaded periodically. */
const REFRESH_MS = 30_000;

export function EventView({ eventId, pick }: { readonly eventId: string; readonly pick: Pick | null }) {
  const { locale } = presentation.value;
  const { state, again } = useLoading(
    (signal) => call<EventDetail>(`/events/${encodeURIComponent(eventId)}?locale=${locale}`, { signal }),
    [`${eventId} ${locale}`],
  );
  useEffect(() => {
    const timer = window.setInterval(again, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [eventId]);
  const { data, failed } = state.value;
  return (
    <section class="event-view">
      <div class="event-tools">
        <button type="button" class="back" onClick={() => leave({ name: 'markets' })}>
          <Icon name="back" />
          {t('back')}
        </button>
        {data !== null && (
          <>
            <FavouriteButton event={data.data} />
            <Share event={data.data} />
          </>
        )}
      </div>
      {data !== null ? (
        <EventPage event={data.data} pick={pick} gone={isGone(failed)} onStopped={again} />
      ) : failed !== null ? (
        <Failure code={failed} again={again} />
      ) : (
        <Skeletons count={5} kind="row" />
      )}
    </section>
  );
}

interface EventPageProps {
  readonly event: CatalogueEvent;
  readonly pick: Pick | null;
  /** Whether the service does not list the event any more. */
  readonly gone: boolean;
  /** Trading in one of the outcomes stopped since the event was read. */
  readonly onStopped: () => void;
}

function EventPage({ event, pick, gone, onStopped }: EventPageProps) {
  const first = event.outcomes[0];
  const { stake, dealOf, endDeal } = useDraft(event.id);
  const show = (next: Pick | null) => ({ name: 'event', eventId: event.id, pick: next }) as const;
  const asked = useRef(pick !== null);
  useLayoutEffect(() => {
    // Beside a winner no link to the other outcomes is needed.
    const leader = winnerOf(event) === undefined ? leaderOf(event) : undefined;
    if (pick === null && leader !== undefined && isWide.value) {
      replace(show({ contractId: leader.id, side: 'YES' }));
    }
  }, [event.id]);
  useEffect(() => {
    if (pick === null) {
      endDeal();
    }
  }, [pick]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (pick === null && hasMoved()) {
      takeFocus(heading.current);
    }
  }, [event.id]);
  const stopped = useComputed(
    () => event.outcomes.filter(({ id, tradingClosed }) => !tradingClosed && livePrice(id).value?.tradingClosed).length,
  );
  useEffect(() => {
    if (stopped.value > 0) {
      onStopped();
    }
  }, [stopped.value]);
  const ids = event.outcomes
    .slice(0, 200)
    .map(({ id }) => id)
    .join(',');
  useEffect(() => watchPrices(ids === '' ? [] : ids.split(',')), [ids]);

  const picked = event.outcomes.find(({ id }) => id === pick?.contractId);
  const five = isFiveMinutes(event) ? first : undefined;
  const quotes = useSignal<SideQuotes>({});
  // So that the page is drawn again when the last outcome stops, and not with every price.
  const trades = useMemo(() => computed(() => leaderOf(event) !== undefined), [event]);
  const choose = (contractId: string, side: Side) => {
    asked.current = true;
    (pick === null ? go : replace)(show({ contractId, side }));
  };
  const ticket = !mayBuy.value ? null : five !== undefined ? (
    <QuickTicket
      key={five.id}
      event={event}
      outcome={five}
      stake={stake}
      deal={dealOf({ contractId: five.id, side: 'YES' })}
      quotes={quotes}
    />
  ) : pick !== null && picked !== undefined ? (
    <BuyTicket
      key={`${picked.id} ${pick.side}`}
      stake={stake}
      deal={dealOf(pick)}
      event={event}
      outcome={picked}
      side={pick.side}
      asked={asked.current}
      onPick={choose}
      onClose={() => leave(show(null))}
    />
  ) : null;
  // Without a ticket there is a place for one only while something trades.
  const beside = isWide.value && mayBuy.value && (ticket !== null || trades.value);
  const charted = chartedOf(event);
  const course = useCourse(event);

  return (
    <div class={beside ? 'event beside' : 'event'}>
      <div class="event-main">
        <header class="event-head">
          <EventPicture event={event} />
          <div>
            <p class="over">{categoryName(event.category)}</p>
            <h1 tabIndex={-1} ref={heading}>
              {event.title}
            </h1>
            {event.subtitle !== null && <p class="quiet">{event.subtitle}</p>}
          </div>
          {five !== undefined ? (
            <QuotedChance outcome={five} quotes={quotes} />
          ) : (
            event.kind === 'binary' && first !== undefined && <Chance outcome={first} large />
          )}
        </header>
        <Score event={event} large />
        <GameMarkets event={event} />
        <EventFacts event={event} full hasClock={five !== undefined} />
        <MarketState event={event} gone={gone} />
        {five !== undefined && <CoinFacts event={event} outcome={five} coin={course.coin} />}
        {first !== undefined && course.coin.length > 1 ? (
          <CoinChart event={event} outcome={first} coin={course.coin} />
        ) : (
          <Chart event={event} outcomes={charted} scores={course.scores} />
        )}
        {five === undefined ? (
          <Outcomes
            event={event}
            charted={charted.map(({ id }) => id)}
            pick={pick}
            ticket={
              beside || ticket === null ? null : presentation.value.sizing === 'pane' ? (
                <Sheet onClose={() => leave(show(null))}>{ticket}</Sheet>
              ) : (
                ticket
              )
            }
            onPick={choose}
          />
        ) : (
          !beside && ticket
        )}
        <Depth event={event} picked={picked?.id} />
        <SettlementTerms event={event} />
        <Related event={event} />
      </div>
      {beside && (
        <aside class="event-side">
          {ticket ?? (
            <div class="ticket hollow">
              <p class="quiet">{t('ticketEmpty')}</p>
            </div>
          )}
        </aside>
      )}
    </div>
  );
}

/** The ticket at the foot of a narrow frame. A frame that is as tall as its content has no foot to hold it. */
function Sheet({ onClose, children }: { readonly onClose: () => void; readonly children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the effects of the ticket, which takes the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      class="sheet"
      ref={dialog}
      closedby="any"
      aria-label={t('ticket')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/** The most likely outcomes of a field; of a ladder the uncertain levels, because the others are flat at one end. */
function chartedOf(event: CatalogueEvent): Outcome[] {
  const { kind, outcomes } = event;
  if (kind !== 'cumulative_ladder') {
    return (bySides(event) ?? byProbability(outcomes)).slice(0, CHARTED);
  }
  return mostInDoubt(outcomes, CHARTED);
}

/** Order book and recent trades of one outcome, closed at first. The tables are loaded when it is opened. */
function Depth({ event, picked }: { readonly event: CatalogueEvent; readonly picked: string | undefined }) {
  const tables = useSignal<{ readonly Show: ComponentType<{ readonly outcome: Outcome }> } | null>(null);
  const open = useSignal(false);
  const chosen = useSignal<string | null>(null);
  const outcomes = decidedLast(byProbability(event.outcomes));
  const id = chosen.value ?? picked;
  const outcome = outcomes.find((one) => one.id === id) ?? outcomes[0];
  if (outcome === undefined) {
    return null;
  }
  const toggle = (isOpen: boolean) => {
    open.value = isOpen;
    if (isOpen && tables.value === null) {
      void import('../market/depth-tables.tsx').then(({ DepthTables }) => {
        tables.value = { Show: DepthTables };
      });
    }
  };
  const Show = tables.value?.Show;
  return (
    <details class="depth" onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>{t('depth')}</summary>
      {open.value && (
        <div class="depth-body">
          {outcomes.length > 1 && (
            <label class="depth-outcome">
              <span>{t('outcome')}</span>
              <span class="select">
                <select
                  value={outcome.id}
                  onChange={({ currentTarget }) => {
                    chosen.value = currentTarget.value;
                  }}
                >
                  {outcomes.map(({ id: value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              </span>
            </label>
          )}
          {Show === undefined ? <div class="depth-wait skeleton" /> : <Show key={outcome.id} outcome={outcome} />}
        </div>
      )}
    </details>
  );
}
