/**
 * The limits of one machine with a database and the prices of its parts, as assumptions that a reader replaces with their own: none of them
 * was measured. Together with the measured costs of an order they give the first bottleneck, and the price of a million orders.
 */
const LIMITS = {
  /** Processors of its database. */
  cores: 64,
  /** Bytes a second that it can send to its standbys: 10 Gbit/s, half of it in use. */
  standbyBytes: 625e6,
  /** Bytes a second of log that its disk flushes. */
  logBytes: 500e6,
  /** Bytes of its fast disk. */
  diskBytes: 8e12,
} as const;

/** Dollars, the prices of large clouds in 2026 without a contract, rounded up. */
const PRICES = { coreHour: 0.05, gigabyteMonth: 0.12, gigabyteSent: 0.02 } as const;
const MONTHS_KEPT = 12;
const GIGABYTE = 1e9;

/** The load that a demand puts on the machine. */
export interface MachineLoad {
  readonly databaseCores: number;
  readonly storedADay: number;
  /** Bytes of log a second at the peak, and to all standbys. */
  readonly logged: number;
  readonly replicated: number;
  /** Orders a second of the largest operator. */
  readonly largest: number;
}

export interface FirstFull {
  /** The resource that is nearest to its limit at the peak. */
  readonly resource: string;
  /** How much of the limit is used, as a share. */
  readonly used: number;
  /** Days until its fast disk is full. */
  readonly diskDays: number;
}

/** @param oneOperator orders a second that one counter carries */
export function firstFull(plan: MachineLoad, oneOperator: number): FirstFull {
  const used: Readonly<Record<string, number>> = {
    'processors of the database': plan.databaseCores / LIMITS.cores,
    'network to the standbys': plan.replicated / LIMITS.standbyBytes,
    'disk of the log': plan.logged / LIMITS.logBytes,
    'counter of the largest operator': plan.largest / oneOperator,
  };
  const [first = ['none', 0]] = Object.entries(used).toSorted(([, one], [, other]) => other - one);
  return { resource: first[0], used: first[1], diskDays: LIMITS.diskBytes / plan.storedADay };
}

/** Dollars of a million orders with their quotes: processors, a year on disk, and the log to two standbys. */
export function priceOfMillion(coreHours: number, storedBytes: number, sentBytes: number): number {
  const disk = ((storedBytes * 1e6) / GIGABYTE) * PRICES.gigabyteMonth * MONTHS_KEPT;
  return coreHours * PRICES.coreHour + disk + ((sentBytes * 1e6) / GIGABYTE) * PRICES.gigabyteSent;
}

export const ASSUMED = `Assumed of the machine: ${LIMITS.cores} cores of the database, ${LIMITS.diskBytes / 1e12} TB of fast disk, ${LIMITS.logBytes / 1e6} MB of log a second, ${LIMITS.standbyBytes / 1e6} MB a second to its standbys. Prices: ${PRICES.coreHour} dollars a core hour, ${PRICES.gigabyteMonth} a gigabyte and month for ${MONTHS_KEPT} months, ${PRICES.gigabyteSent} a gigabyte sent. \`bench/capacity-limits.ts\` has them.`;
