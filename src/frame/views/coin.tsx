/**
 * The coin of a five-minute market: the price to beat, the price now and the seconds left, and the coin's course since the five minutes
 * began, with a line at the price to beat. A venue that reports no course leaves the price to beat and the time.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CatalogueEvent, EventCourse, Outcome } from '../../wire/catalogue.ts';
import { clockTime, coinPrice } from '../format.ts';
import { call } from '../service.ts';
import { serviceNow } from '../service-clock.ts';
import { t } from '../texts/texts.ts';
import { isFiveMinutes, startOf } from '../trading/five-minutes.ts';
import { Plot } from './plot.tsx';

const TURN_MS = 250;
/** As often as venues report the price of a coin. */
const COURSE_MS = 2_000;
const LETTER_PX = 7.6;
const NOTHING: EventCourse = { coin: [], scores: [] };
const COLOURS = new Map([['coin', 'var(--series-0)']]);

/** The course of a coin, asked for again and again while its market is open and the page is visible, or the scores of a game. */
export function useCourse(event: CatalogueEvent): EventCourse {
  const course = useSignal(NOTHING);
  const five = isFiveMinutes(event);
  const hasCourse = event.eventType === 'game' || (event.kind === 'binary' && event.category === 'crypto');
  useEffect(() => {
    if (!hasCourse) {
      return;
    }
    const stop = new AbortController();
    const ask = async () => {
      const { coin, scores } = course.peek();
      const since = coin.at(-1)?.[0] ?? scores.at(-1)?.[0] ?? 0;
      const path = `/events/${encodeURIComponent(event.id)}/course?since=${since}`;
      const more = await call<EventCourse>(path, { signal: stop.signal }).catch(() => NOTHING);
      if (!stop.signal.aborted && more.coin.length + more.scores.length > 0) {
        course.value = { coin: [...coin, ...more.coin], scores: [...scores, ...more.scores] };
      }
    };
    void ask();
    const timer = five
      ? window.setInterval(() => document.visibilityState === 'visible' && void ask(), COURSE_MS)
      : undefined;
    return () => {
      stop.abort();
      window.clearInterval(timer);
    };
  }, [event.id, five, event.liveMatch?.observedAt]);
  return course.value;
}

interface CoinProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  readonly coin: EventCourse['coin'];
}

export function CoinFacts({ event, outcome: { threshold }, coin }: CoinProps) {
  const turn = useSignal(0);
  useEffect(() => {
    const timer = window.setInterval(() => {
      turn.value += 1;
    }, TURN_MS);
    return () => window.clearInterval(timer);
  }, []);
  // Read, so that the time is written again with each turn.
  void turn.value;
  const now = serviceNow();
  const begins = startOf(event);
  const seconds = Math.max(0, Math.ceil(((now < begins ? begins : Date.parse(event.closesAt)) - now) / 1000));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const price = coin.at(-1)?.[1];
  const above = threshold === null || price === undefined ? null : price >= threshold;
  return (
    <dl class="five">
      <div>
        <dt>{t('strike')}</dt>
        <dd>{threshold === null ? t('strikeLater') : coinPrice(threshold)}</dd>
      </div>
      {price !== undefined && (
        <div>
          <dt>{t('coinNow')}</dt>
          <dd class={above === null ? undefined : above ? 'yes-text' : 'no-text'}>
            {coinPrice(price)}{' '}
            {threshold !== null && (
              <small>{`${above === true ? '▲' : '▼'} ${coinPrice(Math.abs(price - threshold))}`}</small>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>{t(now < begins ? 'startsIn' : 'timeLeft')}</dt>
        <dd class={seconds <= 30 ? 'no-text' : undefined}>
          <span role="timer" aria-live="off">
            {left}
          </span>
        </dd>
      </div>
    </dl>
  );
}

/** From the start of the five minutes to their end; before they start, the minutes before. */
export function CoinChart({ event, outcome: { threshold }, coin }: CoinProps) {
  const point = useSignal<number | null>(null);
  const begins = startOf(event) / 1000;
  const ends = Date.parse(event.closesAt) / 1000;
  const span = threshold === null ? ([begins - (ends - begins), begins] as const) : ([begins, ends] as const);
  const series = useMemo(
    () => [{ contractId: 'coin', label: event.title, points: coin.filter(([at]) => at >= span[0]) }],
    [coin, span[0]],
  );
  const shown = point.value === null ? undefined : coin.findLast(([at]) => at <= (point.value ?? 0));
  const scale = {
    format: coinPrice,
    range: (low: number, high: number) => around(threshold, low, high),
    room: LETTER_PX * coinPrice(threshold ?? coin[0]?.[1] ?? 0).length,
    endRoom: 0,
  };
  return (
    <figure class="chart" aria-label={t('coinChart')}>
      {shown !== undefined && (
        <p class="moment">
          {clockTime(shown[0] * 1000)} <b>{coinPrice(shown[1])}</b>
        </p>
      )}
      <Plot
        series={series}
        colours={COLOURS}
        scale={scale}
        span={span}
        level={threshold === null ? null : { value: threshold, label: t('strike') }}
        onPoint={(second) => {
          point.value = second;
        }}
      />
    </figure>
  );
}

/** The prices and the price to beat, with a margin. */
function around(threshold: number | null, low: number, high: number): [number, number] {
  const [from, to] = threshold === null ? [low, high] : [Math.min(low, threshold), Math.max(high, threshold)];
  const room = Math.max(to * 1e-5, (to - from) * 0.15);
  return [from - room, to + room];
}
