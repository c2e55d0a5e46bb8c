/**
 * The watchdog of one machine. Patroni has a driver that writes to a named pipe what it would ask of /dev/watchdog; this is the other
 * end of that pipe. Like the kernel's, it goes on counting when its writer is frozen or dead, and is disarmed only by its magic `V`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';

export interface Watchdog {
  /** Times of its resets, by `performance.now()`. */
  readonly resets: readonly number[];
  /** A machine that is frozen as a whole has its watchdog frozen too. */
  freeze(): void;
  thaw(): void;
  close(): void;
}

/** `Ctimeout=` sets the seconds and arms, `1` says that the writer is well, `V` disarms. */
const COMMANDS = /Ctimeout=(\d+)\n|V|1/g;
const READABLE_BY_ALL = 0o666;

/**
 * @param device path of the pipe, which is made
 * @param reset kills all that runs on the machine
 */
export function openWatchdog(device: string, reset: () => void): Watchdog {
  execFileSync('mkfifo', [device]);
  chmodSync(device, READABLE_BY_ALL);
  // open for writing too, so that the pipe has no end when its writer dies
  const pipe = new Socket({ fd: openSync(device, constants.O_RDWR | constants.O_NONBLOCK), writable: false });
  const resets: number[] = [];
  let timeoutMs = 0;
  let leftMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let endsAt = 0;

  const disarm = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const count = (ms: number) => {
    disarm();
    endsAt = performance.now() + ms;
    timer = setTimeout(() => {
      timer = undefined;
      resets.push(performance.now());
      reset();
    }, ms);
  };
  pipe.setEncoding('latin1').on('data', (text: string) => {
    for (const [command, seconds] of text.matchAll(COMMANDS)) {
      if (command === 'V') {
        disarm();
      } else {
        timeoutMs = seconds === undefined ? timeoutMs : Number(seconds) * 1000;
        count(timeoutMs);
      }
    }
  });
  return {
    resets,
    freeze: () => {
      leftMs = timer === undefined ? undefined : Math.max(0, endsAt - performance.now());
      disarm();
    },
    thaw: () => {
      if (leftMs !== undefined) {
        count(leftMs);
      }
    },
    close: () => {
      disarm();
      pipe.destroy();
    },
  };
}
