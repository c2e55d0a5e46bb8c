/** A venue's reason for a refusal as partners may read it: without a venue's name, and with our reference for its ids. Pure. */
import { VENUE_NAMES } from '../../core/environment.ts';

const NAMES = new RegExp(`\\b(${VENUE_NAMES.toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'gi');
/** Ids of an upstream: long words with a digit in them. */
const UPSTREAM_ID = /\b(?=[\w-]*\d)[\w-]{12,}\b/g;
const LONGEST = 200;

/** @param executionRef replaces the venue's own id of the order (contract chapter 11, `rejectReason`). */
export function publicReason(reason: string | null, executionRef: string): string | null {
  return reason === null
    ? null
    : reason
        .replace(NAMES, 'the venue')
        .replace(UPSTREAM_ID, (word) => (word === executionRef ? word : executionRef))
        .slice(0, LONGEST);
}

/** Reasons of our own, which name no venue. */
const OUR_REASONS: readonly string[] = ['venue_unavailable'];

/** What `rejectReason` of an order reads. @param reason as `publicReason` gave it. */
export function rejectReason(reason: string | null, executionRef: string): string {
  return reason !== null && OUR_REASONS.includes(reason) ? reason : `${reason ?? 'rejected'} (${executionRef})`;
}
