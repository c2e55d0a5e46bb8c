/**
 * Metrics as OpenMetrics text, the format that carries exemplars: `/metrics` answers with it if `Accept` asks for it. The client's own
 * rendering of this format renames the counters of the registry for good, so that the other format would lose their `_total`.
 */
import type { MetricValue, MetricValueWithName, Registry } from '@prometheus-io/client';

export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const TOTAL = /_total$/;

type Labels = Readonly<Partial<Record<string, string | number>>>;

/** The client's types leave the exemplar out. */
type Value = (MetricValue<string> | MetricValueWithName<string>) & {
  readonly exemplar?: { readonly labelSet: Labels; readonly value: number; readonly timestamp: number } | null;
};

export function asksForOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes('application/openmetrics-text') === true;
}

export async function renderOpenMetrics(registry: Registry): Promise<string> {
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
