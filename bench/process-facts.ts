/** What the system knows of a process: CPU time spent and memory held. Linux only; elsewhere the answers are NaN. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const KIB_PER_MIB = 1024;

/** CPU seconds so far, of user and system. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
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
