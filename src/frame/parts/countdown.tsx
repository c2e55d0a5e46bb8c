/** "Closes in 2 h 14 min" for what closes within a day: it moves each minute, and each second in the last ten minutes. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { serviceNow } from '../service-clock.ts';
import { t } from '../texts/texts.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** From here on seconds are shown. */
const SECONDS_BELOW_MS = 10 * MINUTE_MS;

interface CountdownProps {
  readonly closesAt: string;
  /** What is shown if the market closes later than in a day, or has closed. */
  readonly children: ComponentChildren;
}

export function Countdown({ closesAt, children }: CountdownProps) {
  const closes = Date.parse(closesAt);
  const [, setTurn] = useState(0);
  const leftMs = closes - serviceNow();
  const counts = leftMs > 0 && leftMs < DAY_MS;
  useEffect(() => {
    if (!counts) {
      return;
    }
    const stepMs = leftMs <= SECONDS_BELOW_MS ? SECOND_MS : MINUTE_MS;
    const timer = window.setTimeout(() => setTurn((turn) => turn + 1), (leftMs % stepMs) + 1);
    return () => window.clearTimeout(timer);
  });
  return counts ? (
    <time dateTime={closesAt}>{t('closesIn', { left: timeLeft(leftMs) })}</time>
  ) : (
    <span>{children}</span>
  );
}

/** @param leftMs positive; units are rounded down. */
function timeLeft(leftMs: number): string {
  const seconds = Math.floor(leftMs / SECOND_MS);
  const minutes = Math.floor(seconds / 60);
  if (leftMs < SECONDS_BELOW_MS) {
    return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
