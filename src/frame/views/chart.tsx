/**
 * The price history of an event's outcomes as lines, with the value of each at the pointer and its change in the period. For a game
 * also the score, at the moments at which it changed.
 */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { CatalogueEvent, EventCourse, Outcome, PriceHistory } from '../../wire/catalogue.ts';
import { seriesColours } from '../colours.ts';
import { clockTime, dayAndTime, probability } from '../format.ts';
import { changeOf, HISTORY_RANGES, type HistoryRange, pointAt } from '../parts/chart-lines.ts';
import { changeText } from '../parts/spark.tsx';
import { call, serviceNow, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { isFiveMinutes, startOf } from '../trading/price.ts';
import { Plot } from './plot.tsx';

/** A game in play is short compared to a day, so it has a range of its own, but only after this time. */
const GAME_FROM_SECONDS = 300;

type Series = PriceHistory['data']['series'];

interface ChartProps {
  readonly event: CatalogueEvent;
  readonly outcomes: readonly Outcome[];
  /** Empty if the event is not a game. */
  readonly scores: EventCourse['scores'];
}

export function Chart({ event, outcomes, scores }: ChartProps) {
  const chosen = useSignal<HistoryRange | 'game' | null>(null);
  const kickOff = scores[0]?.[0];
  const begun = event.liveMatch !== null && kickOff !== undefined && serviceNow() / 1000 - kickOff > GAME_FROM_SECONDS;
  // A decided event has no last day.
  const decided = outcomes.filter(({ resolution }) => resolution !== undefined).length;
  const shownRange = chosen.value ?? (begun ? 'game' : decided === outcomes.length ? 'all' : '1d');
  const range = shownRange === 'game' ? '1d' : shownRange;
  const point = useSignal<number | null>(null);
  const ids = outcomes.map(({ id }) => id).join(',');
  const { locale } = presentation.value;
  const path = `/events/${encodeURIComponent(event.id)}/history?range=${range}&contracts=${ids}&locale=${locale}`;
  const { state, again } = useLoading(
    (signal) => call<PriceHistory>(path, { signal }),
    [event.id, path, event.liveMatch?.observedAt, decided],
  );
  const { data, failed, busy } = state.value;
  const shades = seriesColours(outcomes);
  const colours = new Map(outcomes.map(({ id }, index) => [id, shades[index] ?? '']));
  // The same array while the data are the same, so that the lines are not drawn again while the pointer moves.
  const five = isFiveMinutes(event);
  const since = five ? startOf(event) / 1000 : shownRange === 'game' ? (kickOff ?? 0) : 0;
  const series = useMemo(
    () => (data?.data.series ?? []).map(from(since)).filter(({ points }) => points.length > 1),
    [data, since],
  );
  const marks = useMemo(
    () => scores.slice(1).map(([at, home, away]) => ({ at, label: t('scoreLine', { home, away }) })),
    [scores, locale],
  );
  // The period of the lines that are shown, which may still be the earlier one.
  const drawn = data?.data.range ?? range;
  const scoreThen = point.value === null ? undefined : scores.findLast(([at]) => at <= (point.value ?? 0));
  return (
    <figure class="chart" aria-label={t('chart')}>
      <div class="chart-head">
        <div class="legend">
          <ul>
            {outcomes.map(({ id, label }) => (
              <Line
                key={id}
                label={event.kind === 'binary' ? null : label}
                colour={colours.get(id)}
                points={series.find(({ contractId }) => contractId === id)?.points ?? []}
                range={since === 0 ? drawn : 'all'}
                until={point.value}
              />
            ))}
          </ul>
        </div>
        {!five && (
          <div class="ranges" role="group" aria-label={t('range')}>
            {[...(kickOff === undefined ? [] : ['game' as const]), ...HISTORY_RANGES].map((name) => (
              <button
                type="button"
                key={name}
                aria-pressed={shownRange === name}
                onClick={() => {
                  chosen.value = name;
                }}
              >
                {t(`range_${name}`)}
              </button>
            ))}
          </div>
        )}
      </div>
      {point.value !== null && (
        <p class="moment">
          {dayAndTime(point.value * 1000)}
          {scoreThen !== undefined && <b>{` ${t('scoreLine', { home: scoreThen[1], away: scoreThen[2] })}`}</b>}
        </p>
      )}
      {series.length > 0 ? (
        <Plot
          series={series}
          colours={colours}
          marks={marks}
          onPoint={(second) => {
            point.value = second;
          }}
        />
      ) : failed !== null ? (
        <div class="chart-empty">
          <p>{t('chartFailed')}</p>
          <button type="button" class="link" onClick={again}>
            {t('tryAgain')}
          </button>
        </div>
      ) : (
        <div class={busy ? 'chart-empty skeleton' : 'chart-empty'}>{!busy && <p>{t('chartEmpty')}</p>}</div>
      )}
      <figcaption class="unseen">
        {series.map(summary).join(' ')}
        {marks.map(({ at, label }) => ` ${clockTime(at * 1000)}: ${label}.`)}
      </figcaption>
    </figure>
  );
}

/** Keeps the points of a series from a moment on, in Unix seconds. */
function from(since: number): (series: Series[number]) => Series[number] {
  return (series) => ({ ...series, points: series.points.filter(([at]) => at >= since) });
}

interface LineProps {
  /** Null for the only line. */
  readonly label: string | null;
  readonly colour: string | undefined;
  readonly points: Series[number]['points'];
  readonly range: HistoryRange;
  readonly until: number | null;
}

/** One line in words: its name, its value at the pointer, and the change until then. The chart shows the value now. */
function Line({ label, colour, points, range, until }: LineProps) {
  const change = changeOf(points, until);
  const value = until === null ? undefined : pointAt(points, until)?.[1];
  return (
    <li>
      {label !== null && (
        <>
          <i class="dot" style={{ background: colour }} />
          {label}
        </>
      )}
      {value !== undefined && <b>{probability(value)}</b>}
      {change !== null && (
        <span class={change > 0 ? 'change yes-text' : change < 0 ? 'change no-text' : 'change'}>
          {t(`change_${range}`, { n: changeText(change) })}
        </span>
      )}
    </li>
  );
}

/** The chart as text, for screen readers. */
function summary({ label, points }: Series[number]): string {
  const values = points.map(([, price]) => price);
  const [from, to] = [values[0], values.at(-1)];
  const since = points[0] === undefined ? '' : `${dayAndTime(points[0][0] * 1000)}. `;
  const text = t('chartSummary', {
    label,
    from: probability(from),
    to: probability(to),
    low: probability(Math.min(...values)),
    high: probability(Math.max(...values)),
  });
  return since + text;
}
