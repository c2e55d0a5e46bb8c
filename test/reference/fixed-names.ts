/**
 * Gives what differs from run to run (ids, times, secrets) the same value in every recording, and equal things the same one, so that a
 * second recording has the same bytes and an id leads from one example to another as it did in the service.
 */
import { createHash } from 'node:crypto';
import type { AnyJson } from '../support/any-json.ts';

/** When every recording begins, as it is shown. Each step takes a second. */
const BEGINS_AT = Date.UTC(2026, 11, 1, 18);
const STEP_MS = 1_000;
const MINUTE_MS = 60_000;
/** What the service counts from the beginning of a request, such as the hold of a quote, is a multiple of this. */
const GRAIN_MS = 5_000;
/** Times of this year and later are those of the catalogue, which must stay in the future. */
const FAR_YEAR = 2099;
const YEARS_BACK = 73;
/** Times up to this long before the beginning are whole minutes that were chosen relative to it. */
const CHOSEN_MS = 2 * 3_600_000;
const FIRST_UNIX_SECOND = 1_600_000_000;
const LAST_UNIX_SECOND = 4_200_000_000;

/** A step of the recording. */
export interface Step {
  readonly place: number;
  readonly begunAt: number;
  endedAt: number;
}

/** Values that depend on the second at which a minute was met. */
const OF_THE_MINUTE: Readonly<Record<string, number>> = { resetSeconds: 42, retryAfterSeconds: 42 };
/** How long a receiver takes to answer. */
const ANSWER_MS = 38;
/** Times that depend on the moment of the request alone: the end of its minute, and the last computation, at most a second ago. */
const OF_THE_MOMENT: Readonly<Record<string, (shown: Date) => Date>> = {
  resetsAt: (shown) => new Date((Math.floor(shown.getTime() / MINUTE_MS) + 1) * MINUTE_MS),
  computedAt: (shown) => shown,
};

export class FixedNames {
  readonly #steps: readonly Step[];
  readonly #digits = new Map<string, string>();
  readonly #words = new Map<string, string>();
  readonly #times = new Map<number, number>();

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** When a step took place, as it is shown. */
  shownAt({ place }: Step): Date {
    return new Date(BEGINS_AT + place * STEP_MS);
  }

  /** A value of an example in the same shape. @param field the field that has it */
  fix(value: AnyJson, step: Step, field = ''): AnyJson {
    if (typeof value === 'string') {
      return OF_THE_MOMENT[field]?.(this.shownAt(step)).toISOString() ?? this.#text(value, step);
    }
    if (typeof value === 'number') {
      return field === 'ms' ? ANSWER_MS : (OF_THE_MINUTE[field] ?? value);
    }
    if (Array.isArray(value)) {
      return isPoint(value) ? this.#point(value, step) : value.map((one) => this.fix(one, step));
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const fixed = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.fix(one, step, name)]));
    const leftMs = Date.parse(fixed['expiresAt']) - this.shownAt(step).getTime();
    return 'expiresInSeconds' in fixed ? { ...fixed, expiresInSeconds: leftMs / 1_000 } : fixed;
  }

  #text(text: string, step: Step): string {
    const cursor = readCursor(text);
    if (cursor !== undefined) {
      return Buffer.from(JSON.stringify(this.fix(cursor, step))).toString('base64url');
    }
    const word = (length: number, alphabet: string) => (found: string) => this.#wordFor(found, length, alphabet);
    return text
      .replaceAll(/\b[a-z]{2,3}_([0-9a-f]{32})(?=_\d|\b)/g, (id, digits: string) =>
        id.replace(digits, this.#digitsFor(digits, step)),
      )
      .replaceAll(/(?<=\bop_)[0-9a-z]{12}\b/g, word(12, '0123456789abcdefghjkmnpqrstvwxyz'))
      .replaceAll(/(?<=\binl_Best_)[0-9A-Z]{14}\b/g, word(14, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'))
      .replaceAll(/(?<=\bsandbox:)[0-9a-f]{40}\b/g, word(40, '0123456789abcdef'))
      .replaceAll(/(?<=\bies1\.[0-9a-f]{12}\.)[\w-]{43}/g, word(43, BASE64_URL))
      .replaceAll(/(?<=\bies1\.[0-9a-f]{12}\.[\w-]{43}\.)[\w-]{43}/g, word(43, BASE64_URL))
      .replaceAll(/(?<=\bafter )\d+(?= ms\b)/g, String(ANSWER_MS))
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d(?=Z)/g, () =>
        this.shownAt(step).toISOString().slice(0, 16).replace('T', ' '),
      )
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) =>
        new Date(this.#timeFor(Date.parse(time), step)).toISOString(),
      );
  }

  /** 32 digits of a UUID version 7, whatever the prefix: an event has the digits of the fact that raised it. */
  #digitsFor(found: string, step: Step): string {
    const known = this.#digits.get(found);
    if (known !== undefined) {
      return known;
    }
    const noise = createHash('sha256').update(`id ${this.#digits.size}`).digest('hex');
    const time = this.shownAt(step).getTime().toString(16).padStart(12, '0');
    const variant = '89ab'[Number.parseInt(noise.charAt(3), 16) % 4];
    const digits = `${time}7${noise.slice(0, 3)}${variant}${noise.slice(4, 19)}`;
    this.#digits.set(found, digits);
    return digits;
  }

  #wordFor(found: string, length: number, alphabet: string): string {
    const known = this.#words.get(found);
    if (known !== undefined) {
      return known;
    }
    const noise = createHash('sha512').update(`word ${this.#words.size}`).digest();
    const word = Array.from({ length }, (_, place) => alphabet[(noise[place] ?? 0) % alphabet.length]).join('');
    this.#words.set(found, word);
    return word;
  }

  #timeFor(real: number, step: Step): number {
    const known = this.#times.get(real);
    const shown = known ?? this.#placeTime(real, step);
    this.#times.set(real, shown);
    return shown;
  }

  #placeTime(real: number, step: Step): number {
    const time = new Date(real);
    if (time.getUTCFullYear() >= FAR_YEAR) {
      return time.setUTCFullYear(time.getUTCFullYear() - YEARS_BACK);
    }
    const [first] = this.#steps;
    const beganAt = first?.begunAt ?? 0;
    if (real < beganAt) {
      const minutes = Math.floor(real / MINUTE_MS) - Math.floor(beganAt / MINUTE_MS);
      return real < beganAt - CHOSEN_MS ? real : BEGINS_AT + minutes * MINUTE_MS;
    }
    if (real <= step.endedAt) {
      return this.shownAt(this.#steps.findLast(({ begunAt }) => begunAt <= real) ?? step).getTime();
    }
    return this.shownAt(step).getTime() + Math.floor((real - step.begunAt) / GRAIN_MS) * GRAIN_MS;
  }

  /** A point of a chart: Unix seconds, values, and in some charts the same moment in ISO-8601. */
  #point([seconds, ...values]: readonly AnyJson[], step: Step): AnyJson[] {
    const real = seconds * 1_000;
    // The last point is the moment of the request, cut off to the second.
    const isNow = real > step.begunAt - 1_000 && real <= step.endedAt;
    const at = isNow ? this.shownAt(step).getTime() : this.#timeFor(real, step);
    return [at / 1_000, ...values.map((one) => (typeof one === 'string' ? new Date(at).toISOString() : one))];
  }
}

const BASE64_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function isPoint(values: readonly AnyJson[]): boolean {
  const [first] = values;
  return Number.isInteger(first) && first >= FIRST_UNIX_SECOND && first <= LAST_UNIX_SECOND;
}

/** The parts of an opaque cursor; undefined for any other text. */
export function readCursor(text: string): AnyJson[] | undefined {
  if (!/^WzEs[\w-]+$/.test(text)) {
    return undefined;
  }
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}
