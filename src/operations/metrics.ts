/**
 * The metrics that every process of the service has, and their text: the standard ones of a process and of Node, and those that are measured
 * in the database. An API process adds its own (server/health/metrics.ts). Labels are words of closed lists, routes, venues and the slugs of
 * ten operators, never ids or customers.
 */
import { collectDefaultMetrics, type MetricValue, type MetricValueWithName, Registry } from '@prometheus-io/client';
import type { Sql } from '../db/client.ts';
import { registerMoneyMetrics, registerVenueMetrics, registerWebhookMetrics, registerWorkMetrics } from './gauges.ts';

/** Metrics of the library whose names say another type than they have, or repeat it: sums of others, and two of the same measure. */
const MISNAMED = [
  ...['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`),
  ...['summary', 'histogram'].map((type) => `nodejs_eventloop_utilization_${type}`),
];

/**
 * @param sql for short reads
 * @param reports for reads that take longer, beside which no order waits
 */
export function createRegistry({ sql, reports }: { readonly sql: Sql; readonly reports: Sql }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) {
    registry.removeSingleMetric(name);
  }
  registerWebhookMetrics(registry, sql);
  registerVenueMetrics(registry, sql);
  registerWorkMetrics(registry, reports);
  registerMoneyMetrics(registry, reports);
  return registry;
}

const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * @param accept the header of the request; OpenMetrics text is rendered if it names that format
 * @returns the content type and the text of all metrics
 */
export async function renderMetrics(
  registry: Registry,
  accept: string | undefined,
): Promise<{ readonly type: string; readonly text: string }> {
  return accept?.includes('application/openmetrics-text') === true
    ? { type: OPEN_METRICS_TYPE, text: await renderOpenMetrics(registry) }
    : { type: registry.contentType, text: await registry.metrics() };
}

const TOTAL = /_total$/;

type Labels = Readonly<Partial<Record<string, string | number>>>;

/** The types of the client omit the exemplar. */
type Value = (MetricValue<string> | MetricValueWithName<string>) & {
  readonly exemplar?: { readonly labelSet: Labels; readonly value: number; readonly timestamp: number } | null;
};

/**
 * Renders the metrics as OpenMetrics text, the format that carries exemplars. The client's own rendering of this format
 * renames the counters of the registry for good, so that the plain format would lose their `_total`.
 */
async function renderOpenMetrics(registry: Registry): Promise<string> {
  const metrics = await registry.getMetricsAsJSON();
  const families = metrics.flatMap(({ name, help, type, values }) => {
    const kind = String(type);
    const family = kind === 'counter' ? name.replace(TOTAL, '') : name;
    const sample = kind === 'counter' ? `${family}_total` : name;
    return [
      `# HELP ${family} ${escapeText(help)}`,
      `# TYPE ${family} ${kind}`,
      ...values.map((value) => renderSample(sample, value)),
    ];
  });
  return `${families.join('\n')}\n# EOF\n`;
}

function renderSample(sample: string, value: Value): string {
  const name = 'metricName' in value ? (value.metricName ?? sample) : sample;
  const line = `${name}${renderLabels(value.labels)} ${renderNumber(value.value)}`;
  return value.exemplar == null
    ? line
    : `${line} # ${renderLabels(value.exemplar.labelSet)} ${value.exemplar.value} ${value.exemplar.timestamp}`;
}

function renderLabels(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeText(String(value)).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function renderNumber(value: number): string {
  if (Number.isFinite(value)) {
    return String(value);
  }
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
