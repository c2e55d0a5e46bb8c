/**
 * The fills that the private stream of an exchange reports, kept for a minute. An order whose response counts its fills is recorded from
 * them, without a list, if they are exactly what the response counts.
 */
import { isDeepStrictEqual } from 'node:util';

/** How long a response waits for the stream before the list is read. */
const WAIT_MS = 250;
const KEEP_MS = 60_000;

export interface FillReports<Fill> {
  /** The stream reports all fills from now on. */
  opened(): void;
  /** The stream reports nothing any more. Orders that wait read the list. */
  ended(): void;
  /** @param orderId the exchange's id of the order @param fillId the exchange's id of the fill, under which it counts once */
  report(orderId: string, fillId: string, quantityMicros: bigint, fill: Fill): void;
  /**
   * The fills of an order, in the order in which they were reported first.
   * @param filledMicros what the exchange's response counts; of nothing there are no fills
   * @returns null if the list must be read: the stream is not connected, has not reported the whole quantity a quarter of a second later, has
   *   reported more, or has reported one fill in two ways
   */
  whole(orderId: string, filledMicros: bigint): Promise<readonly Fill[] | null>;
}

interface Report<Fill> {
  readonly fills: Map<string, { readonly quantityMicros: bigint; readonly fill: Fill }>;
  contradicts: boolean;
  /** Looks at the report again. */
  waiting: (() => void) | undefined;
}

export function openFillReports<Fill>(): FillReports<Fill> {
  const reports = new Map<string, Report<Fill>>();
  let connected = false;

  function reportOf(orderId: string): Report<Fill> {
    const known = reports.get(orderId);
    if (known !== undefined) {
      return known;
    }
    const report: Report<Fill> = { fills: new Map(), contradicts: false, waiting: undefined };
    reports.set(orderId, report);
    setTimeout(() => reports.delete(orderId), KEEP_MS).unref();
    return report;
  }

  return {
    opened() {
      connected = true;
    },
    ended() {
      connected = false;
      for (const { waiting } of reports.values()) {
        waiting?.();
      }
    },
    report(orderId, fillId, quantityMicros, fill) {
      const report = reportOf(orderId);
      const before = report.fills.get(fillId);
      report.contradicts ||= before !== undefined && !isDeepStrictEqual(before.fill, fill);
      report.fills.set(fillId, { quantityMicros, fill });
      report.waiting?.();
    },
    whole(orderId, filledMicros) {
      const report = reportOf(orderId);
      return new Promise((resolve) => {
        const end = (fills: readonly Fill[] | null) => {
          clearTimeout(timer);
          report.waiting = undefined;
          resolve(fills);
        };
        const look = () => {
          const fills = [...report.fills.values()];
          const reported = fills.reduce((sum, { quantityMicros }) => sum + quantityMicros, 0n);
          if (report.contradicts || reported > filledMicros) {
            end(null);
          } else if (reported === filledMicros) {
            end(fills.map(({ fill }) => fill));
          } else if (!connected) {
            end(null);
          }
        };
        const timer = setTimeout(end, WAIT_MS, null);
        report.waiting = look;
        look();
      });
    },
  };
}
