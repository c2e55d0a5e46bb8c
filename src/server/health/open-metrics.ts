/**
 * Metrics as OpenMetrics text, the format that carries exemplars: `/metrics` answers with it if `Accept` asks for it. prom-client's own
 * rendering of this format renames the counters of the registry for good, so that the other format would lose their `_total`.
 */
import type { MetricValue, MetricValueWithName, Registry } from 'prom-client';
import type { Exemplars } from './exemplars.ts';

export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const TOTAL = /_total$/;
const BUCKET = /_bucket$/;

type Value = MetricValue<string> | MetricValueWithName<string>;

export function asksForOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes('application/openmetrics-text') === true;
}

export async function renderOpenMetrics(registry: Registry, exemplars: Exemplars): Promise<string> {
  const metrics = await registry.getMetricsAsJSON();
  const families = metrics.flatMap(({ name, help, type, values }) => {
    const kind = String(type);
    const family = kind === 'counter' ? name.replace(TOTAL, '') : name;
    const sample = kind === 'counter' ? `${family}_total` : name;
    return [
      `# HELP ${family} ${escapeText(help)}`,
      `# TYPE ${family} ${kind}`,
      ...values.map((value) => renderSample(sample, value, exemplars)),
    ];
  });
  return `${families.join('\n')}\n# EOF\n`;
}

function renderSample(sample: string, value: Value, exemplars: Exemplars): string {
  const name = 'metricName' in value ? (value.metricName ?? sample) : sample;
  const line = `${name}${renderLabels(value.labels)} ${renderNumber(value.value)}`;
  const found = BUCKET.test(name) ? exemplars.find(name.replace(BUCKET, ''), value.labels) : undefined;
  return found === undefined
    ? line
    : `${line} # ${renderLabels({ trace_id: found.traceId })} ${found.value} ${found.at.toFixed(3)}`;
}

function renderLabels(labels: Readonly<Partial<Record<string, string | number>>>): string {
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
