/** A row of `top` that was opened: how its figures have changed, or the history of an order. Pure. */
import type { Paint } from '../terminal/paint.ts';
import { withThousands } from '../terminal/thousands.ts';
import { sparkRow } from './spark-line.ts';
import type { TopScreen } from './top-input.ts';
import type { TopSample } from './top-sample.ts';

const MARGIN = 2;

/** @param name of the row, which may be gone by now */
export function drawRow(screen: TopScreen, name: string, paint: Paint): string[] {
  const { samples, stuck, state, history, width } = screen;
  const line = (label: string, unit: string, read: (sample: TopSample) => number | null | undefined) => {
    const values = samples.map((sample) => read(sample) ?? null);
    const now = values.at(-1) ?? null;
    return sparkRow(label, values, now === null ? '-' : `${withThousands(now)}${unit}`, width - MARGIN, paint);
  };
  switch (state.view) {
    case 'r':
      return [
        line('requests/s', '/s', ({ requests }) => {
          const found = requests?.busiest.find(({ route }) => route === name);
          return requests === null ? null : (found?.perSecond ?? 0);
        }),
      ];
    case 't': {
      const of = (sample: TopSample) => sample.tenants.find(({ slug }) => slug === name);
      const own = stuck.filter(({ slug }) => slug === name);
      return [
        line('orders/min', '', (sample) => of(sample)?.orders ?? 0),
        line('open', '', (sample) => of(sample)?.open ?? 0),
        line('unknown', '', (sample) => of(sample)?.unknown ?? 0),
        line('p50', ' ms', (sample) => of(sample)?.p50Ms),
        line('p95', ' ms', (sample) => of(sample)?.p95Ms),
        ...(own.length === 0 ? [] : ['', paint('red', `${own.length} stuck: press s`)]),
        '',
        `"inlay operators show ${name}" shows its settings and its money.`,
      ];
    }
    case 'p': {
      const of = (sample: TopSample) => sample.prices.find(({ venue }) => venue === name);
      return [
        line('books', '', (sample) => of(sample)?.books),
        line('median age', ' s', (sample) => of(sample)?.medianSeconds),
        line('oldest', ' s', (sample) => of(sample)?.oldestSeconds),
        line('feed lag', ' s', (sample) => sample.feeds.find(({ venue }) => venue === name)?.lagSeconds),
      ];
    }
    case 'd':
      return [line('waiting', '', (sample) => sample.due.find((due) => due.name === name)?.waiting ?? 0)];
    case 'n':
    case 's':
      return history.length === 0 ? ['Reading its history.'] : [...history];
    case 'o':
    case 'w':
      return [];
  }
}
