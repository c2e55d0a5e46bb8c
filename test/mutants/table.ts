/**
 * Rules of the service, each broken in one place, and what has to notice: seeds of the simulation, or one test file. Whoever
 * changes a line that stands in one of these lists changes it there too; a text that is no longer in its file fails the run.
 */
import { BOOKS } from './books.ts';
import { FILL_REPORTS } from './fill-reports.ts';
import { KALSHI_PARTS } from './kalshi-parts.ts';
import { ORDER_MOVES } from './moves.ts';
import type { Mutant } from './mutant.ts';
import { PLATFORM } from './platform.ts';
import { TRANSMISSION } from './transmission.ts';
import { VENUES } from './venues.ts';

export const MUTANTS: readonly Mutant[] = [
  ...ORDER_MOVES,
  ...TRANSMISSION,
  ...VENUES,
  ...KALSHI_PARTS,
  ...FILL_REPORTS,
  ...BOOKS,
  ...PLATFORM,
];
