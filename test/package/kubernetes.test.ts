/** The Kustomize folder, as kubectl renders it: what a cluster gets runs as nobody special, knows no more than it needs, and is asked where it answers. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Environment, projectRoot, readEnvironment } from '../../src/core/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
type Labels = Readonly<Record<string, string>>;
interface Pod {
  readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly securityContext: object;
    readonly containers: readonly Container[];
    readonly volumes: readonly {
      readonly name: string;
      readonly emptyDir?: object;
      readonly secret?: { readonly secretName: string; readonly defaultMode: number; readonly optional?: boolean };
    }[];
  };
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data: Labels;
  readonly spec: {
    readonly replicas?: number;
    readonly maxUnavailable?: number;
    readonly template: Pod;
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly ingress: readonly { readonly from?: object[]; readonly ports: readonly { readonly port: string }[] }[];
  };
}

const VERSION = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
const HAS_KUBECTL = VERSION.status === 0;
/** Debian 12 has an older one, which knows fewer fields. */
const IS_RECENT = HAS_KUBECTL && VERSION.stdout.includes('"kustomizeVersion"');
if (!IS_RECENT) {
  const consequence = HAS_KUBECTL ? 'the example is not rendered' : 'the Kustomize folder is not rendered';
  console.warn(
    `kubectl is ${HAS_KUBECTL ? 'too old' : 'missing (apt-get install kubernetes-client)'}: ${consequence}.`,
  );
}

const containerfile = readFileSync(join(projectRoot, 'deploy', 'container', 'Containerfile'), 'utf8');
const ofImage = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(containerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const [, user, group] = /^USER (\d+):(\d+)$/m.exec(containerfile) ?? [];

function render(folder: string): Resource[] {
  const path = join(projectRoot, 'deploy', 'kubernetes', folder);
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', path], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
}

const named = (resources: readonly Resource[], kind: string): Map<string, Resource> =>
  new Map(resources.filter((one) => one.kind === kind).map((one) => [one.metadata.name, one]));
const podsOf = (resources: readonly Resource[]): Map<string, Pod> =>
  new Map(
    [...named(resources, 'Job'), ...named(resources, 'Deployment')].map(([name, { spec }]) => [name, spec.template]),
  );
const containerOf = (pod: Pod | undefined): Container => {
  expect(pod?.spec.containers.length).toBe(1);
  return pod?.spec.containers[0] as Container;
};
const fits = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** What the process of a pod reads: the variables of the image, the settings, and secrets as files. */
function environmentOf(pod: Pod, resources: readonly Resource[]): Environment {
  const { env, envFrom = [], volumeMounts } = containerOf(pod);
  const settings = envFrom.map(({ configMapRef }) => named(resources, 'ConfigMap').get(configMapRef.name)?.data);
  const folder = temporaryFolder('secrets');
  const given = env.map(({ name, value }) => {
    if (!name.endsWith('_FILE')) {
      return [name, value];
    }
    const mount = volumeMounts.find(({ mountPath }) => value === join(mountPath, basename(value)));
    expect([name, pod.spec.volumes.find((volume) => volume.name === mount?.name)?.secret]).toEqual([
      name,
      expect.anything(),
    ]);
    const file = join(folder, value.replaceAll('/', '-'));
    writeFileSync(file, name.startsWith('DATABASE') ? `postgres://${mount?.name}@db/inlay\n` : SECRET);
    return [name, file];
  });
  return readEnvironment({ ...ofImage, ...Object.assign({}, ...settings), ...Object.fromEntries(given) });
}
const SECRET = '7f1d0c9be2a8436558dd0f6b9c1e4a72b35f8069acd1e7243c5b6f9012de8a47';

describe.skipIf(!HAS_KUBECTL)('the base', () => {
  let resources: Resource[] = [];
  let pods = new Map<string, Pod>();
  beforeAll(() => {
    resources = render('base');
    pods = podsOf(resources);
  });

  test('has the migration, the API, workers, a service, and a budget for each of the two that run', () => {
    const found = resources.map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/-\w{10}$/, '')}`);
    expect(found.sort()).toEqual([
      'ConfigMap inlay-settings',
      'Deployment inlay-api',
      'Deployment inlay-worker',
      'Job inlay-migrate',
      'NetworkPolicy inlay',
      'PodDisruptionBudget inlay-api',
      'PodDisruptionBudget inlay-worker',
      'Service inlay-api',
    ]);
    for (const [name, pod] of pods) {
      const { args } = containerOf(pod);
      expect([name, existsSync(join(projectRoot, 'src', 'commands', `${args.join('/')}.ts`))]).toEqual([name, true]);
    }
  });

  test('runs everything as the user of the image, on a root that is read only, without rights', () => {
    for (const [name, { spec }] of pods) {
      const { securityContext, resources: needs, volumeMounts } = spec.containers[0] as Container;
      expect([name, spec.automountServiceAccountToken]).toEqual([name, false]);
      expect([name, spec.securityContext]).toEqual([
        name,
        {
          runAsNonRoot: true,
          runAsUser: Number(user),
          runAsGroup: Number(group),
          fsGroup: Number(group),
          seccompProfile: { type: 'RuntimeDefault' },
        },
      ]);
      expect([name, securityContext]).toEqual([
        name,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ]);
      expect([name, needs.limits.memory]).toEqual([name, expect.stringMatching(/^\d+[MG]i$/)]);
      const volumes = new Map(spec.volumes.map((volume) => [volume.name, volume]));
      expect([name, [...volumes.keys()].sort()]).toEqual([name, volumeMounts.map((mount) => mount.name).sort()]);
      for (const mount of volumeMounts) {
        const { emptyDir, secret } = volumes.get(mount.name) ?? { name: '' };
        const isWritable = emptyDir !== undefined && ['/data', '/tmp'].includes(mount.mountPath);
        const isSecret = mount.readOnly === true && secret?.defaultMode === 0o440;
        expect([name, mount.mountPath, isWritable !== isSecret]).toEqual([name, mount.mountPath, true]);
      }
    }
  });

  test('gives each process the addresses that it needs, from secrets, and no other', () => {
    const known = readFileSync(join(projectRoot, 'docs', 'settings.md'), 'utf8');
    const addresses = Object.fromEntries(
      [...pods].map(([name, pod]) => {
        const { databaseUrl, databaseAuditUrl, databaseOwnerUrl, databaseAdminUrl, secret, production } = environmentOf(
          pod,
          resources,
        );
        expect([name, secret, production]).toEqual([name, SECRET, true]);
        return [name, [databaseUrl, databaseAuditUrl, databaseOwnerUrl, databaseAdminUrl]];
      }),
    );
    const [service, auditor, owner] = ['inlay', 'inlay-auditor', 'inlay-owner'].map(
      (one) => `postgres://${one}@db/inlay`,
    );
    expect(addresses).toEqual({
      'inlay-api': [service, undefined, undefined, undefined],
      'inlay-worker': [service, auditor, undefined, undefined],
      'inlay-migrate': [service, auditor, owner, expect.stringMatching(/^postgres:\/\/inlay_admin@/)],
    });
    const keys = [...pods].filter(([, { spec }]) =>
      spec.volumes.some(({ secret }) => secret?.secretName === 'inlay-keys'),
    );
    expect(keys.map(([name]) => name)).toEqual(['inlay-worker']);
    const [settings] = named(resources, 'ConfigMap').values();
    const names = [...pods.values()].flatMap((pod) =>
      containerOf(pod).env.map(({ name }) => name.replace(/_FILE$/, '')),
    );
    const unknown = [...names, ...Object.keys(settings?.data ?? {})].filter((name) => !known.includes(`\`${name}\``));
    expect(unknown).toEqual([]);
  });

  test('asks at ports and paths that answer there, and restarts nothing because the database is down', () => {
    const [api, worker] = ['inlay-api', 'inlay-worker'].map((name) => pods.get(name) as Pod) as [Pod, Pod];
    for (const [pod, port] of [
      [api, environmentOf(api, resources).metricsPort],
      [worker, environmentOf(worker, resources).workerMetricsPort],
    ] as const) {
      const { ports = [], startupProbe, livenessProbe, readinessProbe } = containerOf(pod);
      expect(ports.find(({ name }) => name === 'metrics')?.containerPort).toBe(port);
      expect(pod.metadata.annotations).toMatchObject({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(port),
      });
      expect(environmentOf(pod, resources).metricsHost).toBe('0.0.0.0');
      expect([startupProbe?.httpGet, livenessProbe?.httpGet]).toEqual([
        { path: '/metrics', port: 'metrics' },
        { path: '/metrics', port: 'metrics' },
      ]);
      expect(readinessProbe?.httpGet).toEqual(pod === api ? { path: '/api/health', port: 'metrics' } : undefined);
    }
    const { ports = [] } = containerOf(api);
    expect(ports.find(({ name }) => name === 'http')?.containerPort).toBe(environmentOf(api, resources).port);
  });

  test('selects what it means: the service the API, the budgets one deployment each, the policy every pod', () => {
    const deployments = named(resources, 'Deployment');
    const selectedBy = (selector: Labels) =>
      [...pods].filter(([, { metadata }]) => fits(selector, metadata.labels)).map(([name]) => name);
    const service = named(resources, 'Service').get('inlay-api');
    expect(selectedBy(service?.spec.selector ?? {})).toEqual(['inlay-api']);
    expect(service?.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    for (const [name, { spec }] of deployments) {
      expect(selectedBy(spec.selector.matchLabels)).toEqual([name]);
      const budget = named(resources, 'PodDisruptionBudget').get(name);
      expect(selectedBy(budget?.spec.selector.matchLabels ?? {})).toEqual([name]);
      expect((spec.replicas ?? 1) - (budget?.spec.maxUnavailable ?? 1)).toBeGreaterThan(0);
    }
    const policy = named(resources, 'NetworkPolicy').get('inlay')?.spec;
    expect(selectedBy(policy?.podSelector.matchLabels ?? {}).sort()).toEqual([...pods.keys()].sort());
    const open = policy?.ingress
      .filter(({ from }) => from === undefined)
      .flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(open).toEqual(['http']);
  });
});

describe.skipIf(!IS_RECENT)('the example', () => {
  test('replaces image, namespace and settings everywhere', () => {
    const resources = render('example');
    const pods = podsOf(resources);
    expect(new Set(resources.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['inlay']));
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    expect([...pods.values()].map((pod) => containerOf(pod).image)).toEqual(
      Array.from({ length: 3 }, () => `registry.example/inlay:${version}`),
    );
    expect(named(resources, 'Deployment').get('inlay-api')?.spec.replicas).toBe(3);
    for (const name of ['inlay-api', 'inlay-worker']) {
      const environment = environmentOf(pods.get(name) as Pod, resources);
      expect(environment).toMatchObject({
        venues: ['kalshi'],
        metricsPort: 9464,
        publicOrigins: ['https://markets.example'],
        tracesUrl: 'http://collector.monitoring:4318/v1/traces',
      });
      const { privateKeyFile = '' } = environment.venueSettings.kalshi;
      const mounts = containerOf(pods.get('inlay-worker')).volumeMounts;
      expect(mounts.some(({ mountPath }) => privateKeyFile.startsWith(`${mountPath}/`))).toBe(true);
    }
  });
});
