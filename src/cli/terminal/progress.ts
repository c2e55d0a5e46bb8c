/** A progress bar on stderr, on a terminal only. */

const REDRAW_MS = 100;
const WIDTH = 28;

export interface Progress {
  update(done: number): void;
  /** Removes the bar. */
  end(): void;
}

export function startProgress(label: string, total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) {
    return { update: () => {}, end: () => {} };
  }
  const started = performance.now();
  let drawn = 0;
  const draw = (done: number) => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const full = Math.round(share * WIDTH);
    const seconds = (performance.now() - started) / 1000;
    const rate = seconds === 0 ? 0 : Math.round(done / seconds);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    const text = `${label} ${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows, ${rate.toLocaleString('en')} a second`;
    stream.write(`\r\u001b[K${text.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  return {
    update: (done) => {
      const now = performance.now();
      if (now - drawn >= REDRAW_MS) {
        drawn = now;
        draw(done);
      }
    },
    end: () => {
      stream.write('\r\u001b[K');
    },
  };
}
