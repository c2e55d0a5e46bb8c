/**
 * What deploy/monitoring promises: alerts and panels are over metrics, labels and values that /metrics has, and Prometheus' own program checks
 * the queries, plays the cases of each alert, and finds nothing wrong with the names of the metrics.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../../src/core/environment.ts';
import { createRegistry } from '../../src/operations/metrics.ts';
import { createMetrics } from '../../src/server/health/metrics.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string; readonly runbook_url: string };
}
interface Case {
  readonly promql_expr_test: readonly {
    readonly expr: string;
    readonly exp_samples: readonly { readonly labels: string }[];
  }[];
}
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;
if (!HAS_PROMTOOL) {
  console.warn('promtool is missing (apt-get install prometheus): the rules of Prometheus are not checked.');
}

const folder = join(projectRoot, 'deploy', 'monitoring');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { tests: cases } = parse(read('alerts.test.yaml')) as { tests: Case[] };
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
const targets = panels.flatMap(({ title, targets: some = [] }) => some.map((one) => ({ title, ...one })));
const queries = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr })),
  ...targets.map(({ title, expr }) => ({ name: title, expr })),
];

let service: World;
let text = '';
/** The labels of each metric. */
const labelsOf = new Map<string, readonly string[]>();
const OF_EVERY_SERIES = ['job', 'instance'];

beforeAll(async () => {
  service = await openWorld();
  await service.openMarket('watched', { bids: [['0.55', '100']], asks: [['0.57', '100']] });
  await service.request('POST', '/api/v1/orders', { user: 'ana', body: {} });
  await scrape();
  labelsOf.set('up', OF_EVERY_SERIES);
  const registered = createMetrics(service.context).registry.getMetricsAsArray();
  for (const { name, type, labelNames } of registered as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[]) {
    labelsOf.set(name, [...labelNames, ...OF_EVERY_SERIES]);
    if (type === 'histogram') {
      labelsOf.set(`${name}_bucket`, [...labelNames, ...OF_EVERY_SERIES, 'le']);
    }
  }
});
afterAll(() => service.close());

async function scrape(): Promise<void> {
  ({ text } = await service.request('GET', '/metrics', { key: null }));
}

/** The values of a label that a sample has now. */
const valuesOf = (metric: string, label: string): string[] =>
  [...text.matchAll(new RegExp(`^${metric}\\{(?:.*,)?${label}="([^"]*)"`, 'gm'))].map(([, value = '']) => value);

const metricsIn = (expr: string): string[] =>
  expr.replace(/"[^"]*"/g, '').match(/\b(?:(?:inlay|process|nodejs)_\w+|up\b)/g) ?? [];
const selectorsIn = (expr: string) =>
  [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)\s*(=~|!=|!~|=)\s*"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => ({
      metric,
      label,
      operator,
      value,
    })),
  );
/** The labels of the result; undefined if those of the metrics are kept. */
function groupedBy(expr: string): string[] | undefined {
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, names = '']) => names.split(/,\s*/));
  return groups.length === 0 && !/^(?:sum|max|min)\(/.test(expr) ? undefined : groups.flat();
}
const namesIn = (...texts: string[]): string[] =>
  texts.flatMap((one) => [...one.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = '']) => name));

test('alerts and panels are over metrics that exist, and select and group by labels that these have', () => {
  expect(rules.length).toBeGreaterThan(14);
  expect(targets.length).toBeGreaterThan(20);
  for (const { name, expr } of queries) {
    const metrics = metricsIn(expr);
    expect([name, metrics.length > 0, metrics.filter((metric) => !labelsOf.has(metric))]).toEqual([name, true, []]);
    const wrong = selectorsIn(expr).filter(({ metric, label }) => !labelsOf.get(metric)?.includes(label));
    expect([name, wrong]).toEqual([name, []]);
    const known = metrics.flatMap((metric) => labelsOf.get(metric) ?? []);
    expect([name, (groupedBy(expr) ?? []).filter((label) => !known.includes(label))]).toEqual([name, []]);
  }
});

test('what they select by a value has samples', async () => {
  const words = queries
    .flatMap(({ expr }) => selectorsIn(expr))
    .filter(({ metric, operator, label }) => operator.startsWith('=') && metric !== 'up' && label !== 'job')
    .flatMap(({ value, ...selector }) => value.split('|').map((word) => ({ ...selector, word })))
    .filter(({ word }) => /^[\w/-]+$/.test(word));
  expect(words.length).toBeGreaterThan(5);
  // a scrape leaves out what takes longer than a second, as a reading may on a busy machine
  await until(async () => {
    await scrape();
    for (const { metric, label, word } of words) {
      expect(valuesOf(metric, label), `${metric}{${label}}`).toContain(word);
    }
  });
});

test('legends name labels of the result', () => {
  for (const { title, expr, legendFormat = '' } of targets) {
    const labels = groupedBy(expr) ?? metricsIn(expr).flatMap((metric) => labelsOf.get(metric) ?? []);
    expect([title, namesIn(legendFormat).filter((name) => !labels.includes(name))]).toEqual([title, []]);
  }
});

test('every alert says how bad it is and what to do, and leads to a section of the runbook', () => {
  const runbook = readFileSync(join(projectRoot, 'docs', 'runbook.md'), 'utf8');
  const sections = [...runbook.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => {
    const words = title.toLowerCase().replace(/[^a-z0-9 -]/g, '');
    return `#${words.replaceAll(' ', '-')}`;
  });
  const [, contents = ''] = /^## By alert\n([\s\S]*?)^## /m.exec(runbook) ?? [];
  for (const [, section = ''] of runbook.matchAll(/\]\((#[^)]+)\)/g)) {
    expect(sections).toContain(section);
  }
  for (const { alert, labels, annotations } of rules) {
    const { origin, pathname, hash } = new URL(annotations.runbook_url);
    expect([alert, origin + pathname]).toEqual([alert, 'https://runbooks.example/inlay/runbook.md']);
    expect([alert, sections.includes(hash)]).toEqual([alert, true]);
    const row = contents.split('\n').find((line) => line.includes(`\`${alert}\``)) ?? '';
    expect([alert, row.includes(`(${hash})`)]).toEqual([alert, true]);
    expect([alert, ['page', 'ticket'].includes(labels.severity)]).toEqual([alert, true]);
    expect([alert, annotations.summary !== '' && annotations.action !== '']).toEqual([alert, true]);
  }
});

test('every alert has a case in which it fires, with the labels that its texts name, and none fires in the first case', () => {
  const expected = cases
    .flatMap(({ promql_expr_test: asked }) => asked)
    .filter(({ expr }) => expr.startsWith('ALERTS'));
  expect(cases[0]?.promql_expr_test.map(({ expr, exp_samples: samples }) => [expr, samples])).toEqual([
    ['ALERTS', []],
    ['ALERTS', []],
  ]);
  const fired = expected.flatMap(({ exp_samples: samples }) => samples.map(({ labels }) => labels));
  for (const { alert, annotations } of rules) {
    const labels = fired.find((one) => one.includes(`alertname="${alert}"`)) ?? '';
    expect([alert, labels.includes('alertstate="firing"')]).toEqual([alert, true]);
    const named = namesIn(...Object.values(annotations));
    expect([alert, named.filter((name) => !labels.includes(`${name}="`))]).toEqual([alert, []]);
  }
});

test('an alert on the share of an objective is reached by faults alone: its threshold is below what all faults would burn', () => {
  const targetOf = (objective: string) =>
    Number(new RegExp(`^inlay_slo_target\\{objective="${objective}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  const loosest = Math.min(...valuesOf('inlay_slo_target', 'objective').map(targetOf));
  const burning = rules.filter(({ expr }) => expr.includes('inlay_slo_target'));
  expect(burning.length).toBe(2);
  for (const { alert, expr } of burning) {
    expect([alert, Number(/> ([\d.]+)$/.exec(expr)?.[1]) < 1 / (1 - loosest)]).toEqual([alert, true]);
  }
});

describe.skipIf(!HAS_PROMTOOL)('promtool', () => {
  const promtool = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, input, encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}` };
  };

  test('takes the rules and the example of a configuration', () => {
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['check', 'config', 'prometheus.yaml'],
    ]) {
      const { status, said } = promtool(args);
      expect(status, said).toBe(0);
    }
    expect(promtool(['check', 'rules', 'grafana-dashboard.json']).status).not.toBe(0);
  });

  test('plays the cases of the alerts', () => {
    const { status, said } = promtool(['test', 'rules', 'alerts.test.yaml']);
    expect(status, said).toBe(0);
  });

  test('takes the queries of the panels', () => {
    const file = join(temporaryFolder('panels'), 'panels.yaml');
    const records = targets.map(({ expr }, number) => ({ record: `panel:${number}`, expr }));
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: records }] }));
    const { status, said } = promtool(['check', 'rules', file]);
    expect(status, said).toBe(0);
  });

  test('finds nothing wrong with the metrics of an API process and of a worker', async () => {
    const ofWorker = await createRegistry(service.context).metrics();
    for (const metrics of [text, ofWorker]) {
      const { status, said } = promtool(['check', 'metrics'], metrics);
      expect([status, said]).toEqual([0, '']);
    }
    const { status, said } = promtool(['check', 'metrics'], '# TYPE wrong_total gauge\nwrong_total 1\n');
    expect([status === 0, said]).toEqual([false, expect.stringContaining('wrong_total')]);
  });
});
