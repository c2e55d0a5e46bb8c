/**
 * Runs the reports that partners ask for: one at a time for each operator, few at once in all, so that one tenant's reports
 * cannot take the processors from the others' orders. After a run its operator rests for as long as the run took, so that a
 * tenant who asks without pause takes half of a processor. Equal requests share one run. What cannot start in time is refused with
 * service_unavailable and a `Retry-After`.
 */
import { refuse } from '../../core/errors.ts';
import type { Report } from '../../wire/reconciliation/report.ts';
import { createRecentDuration } from '../recent-duration.ts';
import { type OpenReportSql, runWalledReport } from './run-report.ts';

export interface ReportLimits {
  /** Running at once in this process. */
  readonly running: number;
  /** Different reports of one operator that wait for their turn. */
  readonly waitingOfOperator: number;
  /** Reports that wait, of all operators. */
  readonly waiting: number;
  readonly waitMs: number;
  /** The longest rest of an operator after its run. */
  readonly restMs: number;
}

/** The report of an operator from a moment on, by default from the accounting epoch. */
export type AskReport = (operatorId: string, from: Date) => Promise<Report>;

const LIMITS: ReportLimits = { running: 2, waitingOfOperator: 2, waiting: 20, waitMs: 10_000, restMs: 1_000 };
/** Connections of one run: the other reports and the orders go on beside it. */
const CONNECTIONS = 1;

interface Turn {
  readonly operatorId: string;
  readonly begin: () => void;
}

/** @param run only tests pass one of their own. */
export function createReportQueue(
  open: OpenReportSql,
  limits: ReportLimits = LIMITS,
  run: AskReport = (operatorId, from) => runWalledReport(open, operatorId, from, CONNECTIONS),
): AskReport {
  const shared = new Map<string, Promise<Report>>();
  const busy = new Set<string>();
  const resting = new Set<string>();
  let waiting: Turn[] = [];
  const durations = createRecentDuration();

  async function runInTurn(operatorId: string, from: Date): Promise<Report> {
    await turnOf(operatorId);
    const began = performance.now();
    try {
      return await run(operatorId, from);
    } finally {
      const took = performance.now() - began;
      const rest = Math.min(took, limits.restMs);
      durations.record(took + rest);
      busy.delete(operatorId);
      restFor(operatorId, rest);
      beginNext();
    }
  }

  function restFor(operatorId: string, ms: number): void {
    if (ms > 0) {
      resting.add(operatorId);
      setTimeout(() => {
        resting.delete(operatorId);
        beginNext();
      }, ms).unref();
    }
  }

  const mayBegin = (operatorId: string) =>
    busy.size < limits.running && !busy.has(operatorId) && !resting.has(operatorId);

  const ofOperator = (operatorId: string) => waiting.filter((turn) => turn.operatorId === operatorId).length;

  /** It could begin when those that wait now, and then one more, have ended. */
  function tooMany(operatorId: string): Error {
    const turns = Math.max(ofOperator(operatorId) + 1, Math.ceil((waiting.length + 1) / limits.running));
    return refuse('service_unavailable', 'Enough reports are running; try again shortly.', {
      retryAfterSeconds: durations.secondsFor(turns),
    });
  }

  /** Takes the turn, or waits for it. @throws service_unavailable if too many wait, or the turn does not come in time. */
  function turnOf(operatorId: string): Promise<void> {
    if (mayBegin(operatorId)) {
      busy.add(operatorId);
      return Promise.resolve();
    }
    if (waiting.length >= limits.waiting || ofOperator(operatorId) >= limits.waitingOfOperator) {
      return Promise.reject(tooMany(operatorId));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((other) => other !== turn);
        reject(tooMany(operatorId));
      }, limits.waitMs);
      const turn: Turn = {
        operatorId,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.push(turn);
    });
  }

  /** The longest waiting one whose operator has no report running. */
  function beginNext(): void {
    const next = waiting.find((turn) => mayBegin(turn.operatorId));
    if (next !== undefined) {
      waiting = waiting.filter((turn) => turn !== next);
      busy.add(next.operatorId);
      next.begin();
      beginNext();
    }
  }

  return (operatorId, from) => {
    const key = `${operatorId} ${from.getTime()}`;
    const known = shared.get(key);
    if (known !== undefined) {
      return known;
    }
    const report = runInTurn(operatorId, from).finally(() => shared.delete(key));
    shared.set(key, report);
    return report;
  };
}
