/** `top`: current requests, orders, feed lag, deliveries, jobs and connections. */
import { setTimeout as wait } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import { serviceAddress } from '../cli/known-services.ts';
import { OperatorCommand, reading } from '../cli/operator-command.ts';
import { drawTrace } from '../cli/print/print-trace.ts';
import { ApiClient } from '../cli/service/api.ts';
import { listNamedNewest, listNamedStuck, type NamedOrder, type NamedStuckOrder } from '../cli/service/find-orders.ts';
import { toJson } from '../cli/terminal/printable.ts';
import { createTopSampler, type TopSample } from '../cli/top/top-sample.ts';
import { topScreen } from '../cli/top/top-screen.ts';
import { FIRST_STATE, pressKey, rowNames, type TopScreen } from '../cli/top/top-state.ts';
import { topLines } from '../cli/top/top-view.ts';
import type { Sql } from '../db/client.ts';
import { measureDueWork } from '../operations/due-work.ts';
import { measureLoad, measurePriceAges, measureTenants } from '../operations/load.ts';
import { traceOrder } from '../reconciliation/trace-order.ts';
import { measureWebhooks } from '../webhooks/deliveries.ts';

/** A single reading needs some time between two counts of requests. */
const BETWEEN_COUNTS_MS = 1_000;
/** As many as the widest terminal shows. */
const KEPT_SAMPLES = 300;
/** More than a screen shows. */
const NEWEST_ORDERS = 100;

export default class Top extends OperatorCommand<typeof Top> {
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
      summary: 'Time between two readings.',
    }),
    count: Flags.integer({ helpValue: 'N', min: 1, summary: 'End after this many readings.' }),
  };

  async run(): Promise<TopSample | undefined> {
    const { sql, environment } = await this.openContext();
    const { metricsHost, metricsPort } = environment;
    const apart = metricsPort === undefined ? undefined : `http://${metricsHost}:${metricsPort}`;
    const api = new ApiClient(apart ?? serviceAddress(environment), undefined);
    const sample = createTopSampler(api, async () => {
      const [load, deliveries, due, tenants, prices] = await Promise.all([
        measureLoad(sql),
        measureWebhooks(sql),
        measureDueWork(sql),
        measureTenants(sql),
        measurePriceAges(sql),
      ]);
      return { ...load, deliveries, due, tenants, prices };
    });
    const isLive = process.stdout.isTTY === true && !this.jsonEnabled();
    if (isLive && this.flags.count === undefined) {
      await this.live(sql, sample);
      return undefined;
    }
    return this.readings(sample, this.flags.count ?? 1);
  }

  /** Under --json one reading is a document; several are one per line. */
  private async readings(sample: () => Promise<TopSample>, count: number): Promise<TopSample | undefined> {
    await sample();
    for (let reading = 1; ; reading += 1) {
      await wait(count === 1 ? BETWEEN_COUNTS_MS : this.flags.interval * 1000);
      const taken = await sample();
      if (count === 1 && this.jsonEnabled()) {
        return taken;
      }
      process.stdout.write(
        this.jsonEnabled() ? `${toJson(taken, 0)}\n` : `${topLines(taken, this.paint).join('\n')}\n\n`,
      );
      if (reading === count) {
        return undefined;
      }
    }
  }

  private async live(sql: Sql, sample: () => Promise<TopSample>): Promise<void> {
    const { openLiveLines } = await import('../cli/terminal/live.ts');
    const samples: TopSample[] = [];
    let found: { stuck: NamedStuckOrder[]; orders: NamedOrder[] } = { stuck: [], orders: [] };
    let state = FIRST_STATE;
    let history: TopScreen['history'] = [];
    const quit = new AbortController();
    const show = () => {
      const { columns: width = 80, rows: height = 24 } = process.stdout;
      if (samples.length > 0) {
        screen.show(topScreen({ samples, ...found, state, history, width, height }, this.paint));
      }
    };
    const readHistory = async (orderId: string) => {
      const order = [...found.stuck, ...found.orders].find((one) => one.orderId === orderId);
      const lines =
        order === undefined ? ['It is no longer in the list.'] : drawTrace(await traceOrder(sql, order), this.paint);
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
    try {
      while (!quit.signal.aborted) {
        const [taken, stuck, orders] = await Promise.all([
          sample(),
          listNamedStuck(sql),
          listNamedNewest(sql, NEWEST_ORDERS),
        ]);
        samples.push(taken);
        samples.splice(0, samples.length - KEPT_SAMPLES);
        found = { stuck, orders };
        show();
        await wait(this.flags.interval * 1000, undefined, { signal: quit.signal }).catch(() => undefined);
      }
    } finally {
      process.stdout.off('resize', show);
      screen.close();
    }
    if (quit.signal.reason instanceof Error && quit.signal.reason.name !== 'AbortError') {
      throw quit.signal.reason;
    }
  }
}
