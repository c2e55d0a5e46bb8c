/** The system's figures of a process: CPU time spent and memory held. Linux only; elsewhere the results are NaN. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const KIB_PER_MIB = 1024;

/** CPU seconds so far, of user and system. */
export function cpuSeconds(pid: number): number {
  const stat = readStat(pid);
  return stat === undefined ? Number.NaN : stat.own;
}

/** CPU seconds of a process with its children, those that have ended included. */
export function cpuOfFamily(pid: number): number {
  const stat = readStat(pid);
  if (stat === undefined) {
    return Number.NaN;
  }
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((other) => other?.parent === pid);
  return children.reduce((sum, child) => sum + (child?.own ?? 0), stat.own + stat.ended);
}

/** @returns 0 if the process is gone */
export function parentOf(pid: number): number {
  return readStat(pid)?.parent ?? 0;
}

function readStat(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    // after the name, which may hold anything
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / TICKS_PER_SECOND;
    return { parent: Number(fields[1]), own: ticks(11), ended: ticks(13) };
  } catch {
    return undefined;
  }
}

/** The most memory it ever held, MiB. */
export function peakMemory(pid: number): number {
  return memoryLine(pid, 'VmHWM');
}

export function memoryNow(pid: number): number {
  return memoryLine(pid, 'VmRSS');
}

function memoryLine(pid: number, name: string): number {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${name}:`));
    return Number(line?.match(/\d+/)?.[0]) / KIB_PER_MIB;
  } catch {
    return Number.NaN;
  }
}
