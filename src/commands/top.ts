/** `top`: current requests, orders, feed lag, deliveries, jobs and connections. */
import { setTimeout as wait } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import { asFailure } from '../cli/failure.ts';
import { serviceAddress } from '../cli/known-services.ts';
import { OperatorCommand, reading } from '../cli/operator-command.ts';
import { drawHistory } from '../cli/print/print-history.ts';
import { ApiClient } from '../cli/service/api.ts';
import { toJson } from '../cli/terminal/printable.ts';
import { NoReading, openTopReader, type TopReader, type TopReading } from '../cli/top/read-top.ts';
import type { TopSample } from '../cli/top/top-sample.ts';
import { topScreen } from '../cli/top/top-screen.ts';
import { FIRST_STATE, pressKey, rowNames, type TopScreen } from '../cli/top/top-state.ts';
import { topLines } from '../cli/top/top-view.ts';
import { traceOrder } from '../reconciliation/trace-order.ts';

/** A single reading needs some time between two counts of requests. */
const BETWEEN_COUNTS_MS = 1_000;
/** Readings that the widest terminal can show. */
const KEPT_SAMPLES = 300;
/** Pause between two attempts to get a reading. */
const RETRY_MS = 1_000;

export default class Top extends OperatorCommand<typeof Top> {
  static override withKey = 'api GET /api/health';
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show how busy the service is: requests, orders, feed lag, deliveries and jobs.';
  static override description =
    'On a terminal the view redraws itself until q or Ctrl-C; a key chooses between the overview, the busiest routes, the tenants with the slowest orders, the newest orders, the age of prices, webhook deliveries with the objectives, stuck orders and due work. In a view with rows the arrows choose one and Enter opens it: how its figures have changed, or the history of an order. Without a terminal, or with --json, it prints one reading, or as many as --count.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
    '<%= config.bin %> <%= command.id %> --json --count 60 --interval 1 >> load.jsonl',
  ];
  static override flags = {
    interval: Flags.integer({
      default: 2,
      min: 1,
      max: 3600,
      helpValue: 'SECONDS',
      summary: 'Seconds between two readings.',
    }),
    count: Flags.integer({
      helpValue: 'N',
      min: 1,
      summary:
        'Number of readings after which the command ends; by default it goes on, or prints one without a terminal.',
    }),
  };

  async run(): Promise<TopSample | undefined> {
    const { environment, databaseUrl } = await this.openContext();
    const { metricsHost, metricsPort } = environment;
    const apart = metricsPort === undefined ? undefined : `http://${metricsHost}:${metricsPort}`;
    const api = new ApiClient(apart ?? serviceAddress(environment), undefined);
    const reader = openTopReader(databaseUrl, await this.openOwnerUrl(), api);
    const isLive = process.stdout.isTTY === true && !this.jsonEnabled();
    try {
      if (isLive && this.flags.count === undefined) {
        await this.live(reader);
        return undefined;
      }
      return await this.readings(reader, this.flags.count ?? 1);
    } finally {
      await reader.close();
    }
  }

  /** With --json a single reading is one document; several are printed one per line. If one of several fails, a note is printed and it is taken again. */
  private async readings({ read }: TopReader, count: number): Promise<TopSample | undefined> {
    const tryRead = async (): Promise<TopSample | undefined> => {
      try {
        return (await read()).sample;
      } catch (error) {
        if (count === 1 || !(error instanceof NoReading)) {
          throw error;
        }
        this.note(`${new Date().toISOString()} ${error.message}`);
        return undefined;
      }
    };
    await tryRead();
    for (let taken = 0; ; ) {
      await wait(count === 1 ? BETWEEN_COUNTS_MS : this.flags.interval * 1000);
      const sample = await tryRead();
      if (count === 1 && this.jsonEnabled()) {
        return sample;
      }
      if (sample !== undefined) {
        process.stdout.write(
          this.jsonEnabled() ? `${toJson(sample, 0)}\n` : `${topLines(sample, this.paint).join('\n')}\n\n`,
        );
        taken += 1;
      }
      if (taken === count) {
        return undefined;
      }
    }
  }

  private async live(reader: TopReader): Promise<void> {
    const { openLiveLines } = await import('../cli/terminal/live.ts');
    const samples: TopSample[] = [];
    let found: Pick<TopReading, 'stuck' | 'orders'> = { stuck: [], orders: [] };
    let state = FIRST_STATE;
    let history: TopScreen['history'] = [];
    let answeredAt = performance.now();
    let missing: NoReading | null = null;
    const quit = new AbortController();
    const show = () => {
      const { columns: width = 80, rows: height = 24 } = process.stdout;
      const seconds = Math.round((performance.now() - answeredAt) / 1_000);
      const trouble = missing === null ? null : { seconds, why: missing.why };
      if (samples.length > 0 || trouble !== null) {
        screen.show(topScreen({ samples, trouble, ...found, state, history, width, height }, this.paint));
      }
    };
    const readHistory = async (orderId: string) => {
      const order = [...found.stuck, ...found.orders].find((one) => one.orderId === orderId);
      const lines =
        order === undefined
          ? ['It is no longer in the list.']
          : await traceOrder(reader.sql, order).then((trace) => drawHistory(trace, this.paint), wordsOf);
      if (state.open === orderId) {
        history = lines.flatMap((line) => line.split('\n'));
        show();
      }
    };
    const screen = openLiveLines((key) => {
      const now = samples.at(-1);
      if (key === 'q') {
        quit.abort();
      } else if (now !== undefined) {
        const before = state;
        state = pressKey(state, key, rowNames(state.view, now, found));
        if (state.open !== before.open) {
          history = [];
          if ((state.view === 's' || state.view === 'n') && state.open !== null) {
            readHistory(state.open).catch((error: unknown) => quit.abort(error));
          }
        }
        show();
      }
    });
    process.stdout.on('resize', show);
    const counting = setInterval(() => missing !== null && show(), RETRY_MS);
    try {
      while (!quit.signal.aborted) {
        try {
          const { sample, ...lists } = await reader.read();
          samples.push(sample);
          samples.splice(0, samples.length - KEPT_SAMPLES);
          found = lists;
          missing = null;
          answeredAt = performance.now();
        } catch (error) {
          if (!(error instanceof NoReading)) {
            throw error;
          }
          missing = error;
        }
        show();
        const pauseMs = missing === null ? this.flags.interval * 1000 : RETRY_MS;
        await wait(pauseMs, undefined, { signal: quit.signal }).catch(() => undefined);
      }
    } finally {
      clearInterval(counting);
      process.stdout.off('resize', show);
      screen.close();
    }
    if (quit.signal.reason instanceof Error && quit.signal.reason.name !== 'AbortError') {
      throw quit.signal.reason;
    }
  }
}

/** Sentence in place of a history that cannot be read now. @throws the error if the database is not the cause */
function wordsOf(error: unknown): string[] {
  const { code, message } = asFailure(error);
  if (code !== 'database_unavailable') {
    throw error;
  }
  return [message];
}
