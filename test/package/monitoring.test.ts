/** The alert rules and the dashboard are PromQL over metrics, labels and values that /metrics has; Prometheus itself is not run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../src/core/environment.ts';
import { createMetrics } from '../../src/server/health/metrics.ts';
import { checkPromql, type KnownMetric } from '../support/promql.ts';
import { openWorld, type World } from '../support/world.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

const read = (name: string) => readFileSync(join(projectRoot, 'deploy', 'monitoring', name), 'utf8');
const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
const targets = panels.flatMap(({ title, targets: some = [] }) => some.map((one) => ({ title, ...one })));

let service: World;
let text = '';
const metrics = new Map<string, KnownMetric>([['up', { labels: [] }]]);
const find = (name: string) => metrics.get(name);

beforeAll(async () => {
  service = await openWorld();
  await service.openMarket('watched', { bids: [['0.55', '100']], asks: [['0.57', '100']] });
  await service.request('POST', '/api/v1/orders', { user: 'ana', body: {} });
  text = (await service.request('GET', '/metrics', { key: null })).text;
  const registered = createMetrics(service.context).registry.getMetricsAsArray();
  for (const { name, type, labelNames } of registered as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[]) {
    metrics.set(name, { labels: labelNames });
    if (type === 'histogram') {
      metrics.set(`${name}_bucket`, { labels: [...labelNames, 'le'] });
    }
  }
});
afterAll(() => service.close());

/** The values of a label that a sample has now. */
const valuesOf = (metric: string, label: string): string[] =>
  [...text.matchAll(new RegExp(`^${metric}\\{(?:.*,)?${label}="([^"]*)"`, 'gm'))].map(([, value = '']) => value);

const NAMED = /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g;
const namesIn = (...texts: string[]): string[] =>
  texts.flatMap((one) => [...one.matchAll(NAMED)].map(([, name = '']) => name));

describe('alerts', () => {
  test('each compares labels that exist with a number, and names only labels of its result', () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr, annotations } of rules) {
      const { labels, threshold } = checkPromql(expr, find);
      expect([alert, Number.isFinite(threshold ?? Number.NaN)]).toEqual([alert, true]);
      const missing = namesIn(...Object.values(annotations)).filter((name) => !labels.includes(name));
      expect([alert, missing]).toEqual([alert, []]);
    }
  });

  test('an alert on the share of an objective is reached by faults alone: its threshold is below what all faults would burn', () => {
    const targetOf = (objective: string) =>
      Number(new RegExp(`^inlay_slo_target\\{objective="${objective}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    const loosest = Math.min(...valuesOf('inlay_slo_target', 'objective').map(targetOf));
    for (const { alert, expr } of rules.filter((rule) => rule.expr.includes('inlay_slo_target'))) {
      const { threshold } = checkPromql(expr, find);
      expect([alert, (threshold ?? Number.POSITIVE_INFINITY) < 1 / (1 - loosest)]).toEqual([alert, true]);
    }
  });
});

test('each query of the dashboard is over metrics and labels that exist, and its legend names labels of the result', () => {
  expect(targets.length).toBeGreaterThan(10);
  for (const { title, expr, legendFormat = '' } of targets) {
    const { labels } = checkPromql(expr, find);
    expect([title, namesIn(legendFormat).filter((name) => !labels.includes(name))]).toEqual([title, []]);
  }
});

test('what alerts and dashboard select by an exact value has samples', () => {
  const exact = [...rules, ...targets]
    .flatMap(({ expr }) => checkPromql(expr, find).matches)
    .filter(({ metric, operator }) => operator === '=' && metric !== 'up');
  expect(exact.length).toBeGreaterThan(1);
  for (const { metric, label, value } of exact) {
    expect(valuesOf(metric, label), `${metric}{${label}}`).toContain(value);
  }
});

test('the age of prices and the slowest tenants have panels, and the age has samples of each venue', () => {
  const shown = targets.map(({ expr }) => expr).join('\n');
  expect(shown).toContain('inlay_price_age_seconds');
  expect(shown).toContain('inlay_tenant_order_p95_seconds');
  expect(valuesOf('inlay_price_age_seconds', 'of').sort()).toEqual(['median', 'oldest']);
});

test.each([
  ['rate(inlay_nothing_total[5m])', 'there is no metric'],
  ['sum by (stage) (rate(inlay_http_requests_total[5m]))', 'no label stage'],
  ['sum(rate(inlay_http_requests_total{code="500"}[5m]))', 'no label code'],
  ['sum by (', 'not PromQL'],
  ['histogram_quantile(0.9, sum(rate(inlay_callers_read_bucket[5m])))', 'no label le'],
  ['inlay_board_revision - ignoring(instance) group_left max(inlay_board_revision)', 'no series of both sides match'],
  ['inlay_board_revision - on() max(inlay_board_revision)', 'without group_left'],
])('the check refuses %s', (expression, because) => {
  expect(() => checkPromql(expression, find)).toThrow(because);
});
