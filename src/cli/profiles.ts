/** Stored keys: named profiles in the XDG config folder, readable only by their owner. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from './failure.ts';

export interface Profile {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The profile `demo`, which `up` keeps for the last service that it started. */
  readonly madeBy?: 'up';
}

export interface Profiles {
  /** The default profile. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const DEMO = 'demo';
const NONE: Profiles = { current: 'default', profiles: {} };

/** @param configDir oclif's `config.configDir`. @throws a usage failure if the file exists and cannot be read. */
export function readProfiles(configDir: string): Profiles {
  const path = fileIn(configDir);
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

/** Written under another name and renamed, so that a crash leaves either the old file or the new one. */
export function writeProfiles(configDir: string, profiles: Profiles): void {
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const unfinished = `${fileIn(configDir)}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, fileIn(configDir));
}

/** The service that `up` started last, as the profile `demo`. It becomes the default where there is no other. */
export function keepDemoProfile(configDir: string, apiUrl: string, apiKey: string): void {
  const kept = readProfiles(configDir);
  const profiles = { ...kept.profiles, [DEMO]: { apiUrl, apiKey, madeBy: 'up' as const } };
  writeProfiles(configDir, { current: kept.current in kept.profiles ? kept.current : DEMO, profiles });
}

/** The first characters: enough to identify a key, too few to use it. */
export function shownKey(apiKey: string): string {
  return `${apiKey.slice(0, 16)}...`;
}

function fileIn(configDir: string): string {
  return join(configDir, 'profiles.json');
}
