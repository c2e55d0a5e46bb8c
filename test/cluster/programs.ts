/**
 * The programs of a highly available cluster: those that are installed, or on Debian 12 packages that are unpacked into a private
 * folder without being installed. Patroni comes from Debian 13, because Debian 12 has 3.0.2.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Programs {
  readonly patroni: readonly string[];
  readonly patronictl: readonly string[];
  readonly etcd: string;
  readonly haproxy: string;
  /** The folder of PostgreSQL's programs. */
  readonly postgresql: string;
  /** Of all of these processes. */
  readonly environment: Readonly<Record<string, string>>;
}

const FOLDER = '/var/tmp/inlay-ha-programs';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const FROM_DEBIAN_13 = ['patroni', 'python3-etcd', 'python3-ydiff', 'etcd-server'];
const FROM_DEBIAN_12 = [
  ...['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  ...['python3-psycopg2', 'python3-click', 'python3-dateutil', 'python3-psutil', 'python3-urllib3', 'python3-yaml'],
  ...['python3-wcwidth', 'python3-six', 'python3-dnspython', 'python3-prettytable', 'python3-colorama'],
];
/** This release of Patroni writes its leader key without a condition. */
const UNSAFE = [3, 0, 2];

/**
 * @param postgresql the folder of PostgreSQL's programs, by default Debian's
 * @returns what is missing, as text, if the cluster cannot be built here
 */
export function findPrograms(postgresql = findPostgresql()): Programs | string {
  if (postgresql === undefined) {
    return "Debian's PostgreSQL is missing: apt-get install postgresql";
  }
  const installed = ['patroni', 'patronictl', 'etcd', 'haproxy'].every(isInstalled);
  const programs = installed ? takeInstalled(postgresql) : unpackPackages(postgresql);
  if (typeof programs === 'string') {
    return programs;
  }
  const [program = '', ...args] = programs.patroni;
  const { stdout } = spawnSync(program, [...args, '--version'], { env: programs.environment, encoding: 'utf8' });
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number);
  return version === undefined || !isNewer(version, UNSAFE)
    ? `Patroni ${version?.join('.') ?? 'does not run'}: a release newer than ${UNSAFE.join('.')} is needed`
    : programs;
}

function findPostgresql(): string | undefined {
  const home = '/usr/lib/postgresql';
  return (existsSync(home) ? readdirSync(home) : [])
    .map((release) => join(home, release, 'bin'))
    .filter((folder) => existsSync(join(folder, 'pg_rewind')) && existsSync(join(folder, 'initdb')))
    .at(-1);
}

function isInstalled(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;
}

function isNewer(version: readonly number[], than: readonly number[]): boolean {
  const index = version.findIndex((part, place) => part !== than[place]);
  return index !== -1 && (version[index] ?? 0) > (than[index] ?? 0);
}

function takeInstalled(postgresql: string): Programs {
  const environment = { PATH: `${postgresql}:/usr/sbin:/usr/bin:/bin`, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  return {
    patroni: ['patroni'],
    patronictl: ['patronictl'],
    etcd: 'etcd',
    haproxy: 'haproxy',
    postgresql,
    environment,
  };
}

function unpackPackages(postgresql: string): Programs | string {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  if (!/^ID=debian$/m.test(release) || !/^VERSION_ID="12"$/m.test(release) || process.arch !== 'x64') {
    return 'patroni, etcd and haproxy are missing: install them (they are fetched only on Debian 12, amd64)';
  }
  const complete = join(FOLDER, 'complete');
  const wanted = [
    ...FROM_DEBIAN_12.map((name) => `${name}/bookworm`),
    ...FROM_DEBIAN_13.map((name) => `${name}/trixie`),
  ];
  if (!existsSync(complete) || readFileSync(complete, 'utf8') !== wanted.join('\n')) {
    const failure = download(wanted);
    if (failure !== undefined) {
      return failure;
    }
    writeFileSync(complete, wanted.join('\n'));
  }
  const root = join(FOLDER, 'root');
  const python = (name: string) => ['/usr/bin/python3', join(root, 'usr/bin', name)];
  return {
    patroni: python('patroni'),
    patronictl: python('patronictl'),
    etcd: join(root, 'usr/bin/etcd'),
    haproxy: join(root, 'usr/sbin/haproxy'),
    postgresql,
    environment: {
      PATH: `${postgresql}:/usr/sbin:/usr/bin:/bin`,
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
      PYTHONDONTWRITEBYTECODE: '1',
      LD_LIBRARY_PATH: join(root, 'usr/lib/x86_64-linux-gnu'),
    },
  };
}

/** By apt with lists of its own, so that signatures are verified and the system's lists stay as they are. @returns why it failed */
function download(wanted: readonly string[]): string | undefined {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const name of ['lists/partial', 'cache/archives/partial', 'packages', 'root']) {
    mkdirSync(join(FOLDER, name), { recursive: true, mode: 0o755 });
  }
  const line = (suite: string) => `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${suite} main\n`;
  writeFileSync(join(FOLDER, 'sources.list'), `${line('bookworm')}${line('trixie')}`);
  const options = [
    `Dir::State::lists=${FOLDER}/lists`,
    `Dir::Cache=${FOLDER}/cache`,
    `Dir::Etc::sourcelist=${FOLDER}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
  ].flatMap((option) => ['-o', option]);
  const packages = join(FOLDER, 'packages');
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['apt-get', [...options, 'update']],
    ['apt-get', [...options, 'download', ...wanted]],
    ['/bin/sh', ['-c', `for package in *.deb; do dpkg-deb -x "$package" ${FOLDER}/root || exit 1; done`]],
  ];
  for (const [program, args] of steps) {
    const { status, stderr } = spawnSync(program, args, { cwd: packages, encoding: 'utf8' });
    if (status !== 0) {
      return `the packages of the cluster could not be fetched: ${(stderr ?? '').trim().split('\n').at(-1)}`;
    }
  }
  return undefined;
}
