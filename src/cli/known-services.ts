/**
 * The services that this machine knows, each with its address and a key: the profiles in the XDG config folder, and the service that
 * `up` runs on a data folder. Only their owner can read the files.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../core/environment.ts';
import { usage } from './failure.ts';

export interface Profile {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The profile `demo`, which `up` keeps for the last service that it started. */
  readonly madeBy?: 'up';
}

interface Profiles {
  /** The default profile. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const DEMO = 'demo';
const NONE: Profiles = { current: 'default', profiles: {} };

/** @param configDir oclif's `config.configDir`. @throws a usage failure if the file exists and cannot be read. */
export function readProfiles(configDir: string): Profiles {
  const path = profilesFileIn(configDir);
  try {
    return { ...NONE, ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<Profiles>) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return NONE;
    }
    const reason = error instanceof SyntaxError ? 'it is not JSON' : 'permission denied or not a file';
    throw usage(`${path} cannot be read: ${reason}`, 'Correct the file, or remove it and run "inlay login" again.');
  }
}

/** The file is written under another name and renamed, so that a crash leaves either the old file or the new one. */
export function writeProfiles(configDir: string, profiles: Profiles): void {
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const unfinished = `${profilesFileIn(configDir)}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, profilesFileIn(configDir));
}

/** Stores the service that `up` has started as the profile `demo`. It becomes the default if no default exists. */
export function keepDemoProfile(configDir: string, apiUrl: string, apiKey: string): void {
  const kept = readProfiles(configDir);
  const profiles = { ...kept.profiles, [DEMO]: { apiUrl, apiKey, madeBy: 'up' as const } };
  writeProfiles(configDir, { current: kept.current in kept.profiles ? kept.current : DEMO, profiles });
}

/** @returns the first characters of the key: enough to identify it, too few to use it */
export function shownKey(apiKey: string): string {
  return `${apiKey.slice(0, 16)}...`;
}

function profilesFileIn(configDir: string): string {
  return join(configDir, 'profiles.json');
}

/** The service that `up` runs on a data folder. */
interface RunningService {
  readonly url: string;
  /** Key of the sandbox demo tenant; null in production, which has no such tenant. */
  readonly apiKey: string | null;
}

interface Written extends RunningService {
  readonly pid: number;
}

/** @returns undefined if no service runs on this data folder, or if it belongs to another user */
export function readRunningService(dataDir: string): RunningService | undefined {
  try {
    const { url, apiKey, pid } = JSON.parse(readFileSync(serviceFileIn(dataDir), 'utf8')) as Written;
    process.kill(pid, 0);
    return { url, apiKey };
  } catch {
    return undefined;
  }
}

/**
 * Address of the service for the commands of the service operator.
 * @returns its base URL: INLAY_API_URL, else that of the service which runs on this data folder, else the port of this environment
 */
export function serviceAddress({ apiUrl, dataDir, port }: Pick<Environment, 'apiUrl' | 'dataDir' | 'port'>): string {
  return apiUrl ?? readRunningService(dataDir)?.url ?? `http://127.0.0.1:${port}`;
}

export function writeRunningService(dataDir: string, service: RunningService): void {
  writeFileSync(
    serviceFileIn(dataDir),
    `${JSON.stringify({ ...service, pid: process.pid } satisfies Written, null, 2)}\n`,
    {
      mode: 0o600,
    },
  );
}

export function removeRunningService(dataDir: string): void {
  rmSync(serviceFileIn(dataDir), { force: true });
}

function serviceFileIn(dataDir: string): string {
  return join(dataDir, 'service.json');
}
