/** Keys that a person keeps: named profiles in the XDG config folder, readable by their owner only. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from './failure.ts';

export interface Profile {
  readonly apiUrl: string;
  readonly apiKey: string;
}

export interface Profiles {
  /** The profile that is used when none is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { current: 'default', profiles: {} };

/** @param configDir oclif's `config.configDir`. @throws a usage failure where the file is there and cannot be read. */
export function readProfiles(configDir: string): Profiles {
  const path = fileIn(configDir);
  try {
    return { ...NONE, ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<Profiles>) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return NONE;
    }
    const reason = error instanceof SyntaxError ? 'it is not JSON' : 'may you read it?';
    throw usage(`${path} cannot be read: ${reason}`, 'Correct it, or remove it and run "inlay login" again.');
  }
}

/** Written whole under another name and renamed, so that a crash leaves the old file or the new one. */
export function writeProfiles(configDir: string, profiles: Profiles): void {
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const unfinished = `${fileIn(configDir)}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, fileIn(configDir));
}

/** The first characters, enough to tell keys apart and not to use them. */
export function shownKey(apiKey: string): string {
  return `${apiKey.slice(0, 16)}...`;
}

function fileIn(configDir: string): string {
  return join(configDir, 'profiles.json');
}
