/**
 * What the customer has entered in the ticket of an event. It outlives the view while a session is renewed, so that nothing
 * has to be entered twice; another customer, another event, or leaving the event starts again.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Pick } from '../route.ts';
import { session } from '../session/session.ts';

export interface Draft {
  readonly eventId: string;
  readonly externalUserId: string | null;
  readonly pick: Signal<Pick | null>;
  /** In dollars, as typed. */
  readonly stake: Signal<string>;
}

const FIRST_STAKE = '10';

let kept: Draft | null = null;

/** @param first the outcome and side to begin with, if there is nothing to go on with */
export function useDraft(eventId: string, first: Pick | null): Draft {
  const draft = useMemo(() => {
    const externalUserId = customer();
    if (kept === null || kept.eventId !== eventId || kept.externalUserId !== externalUserId) {
      kept = { eventId, externalUserId, pick: signal(first), stake: signal(FIRST_STAKE) };
    }
    return kept;
  }, [eventId]);
  useEffect(
    () => () => {
      // Without a session the view is gone for a moment only.
      if (customer() !== null) {
        kept = null;
      }
    },
    [eventId],
  );
  return draft;
}

function customer(): string | null {
  const state = session.peek();
  return state.status === 'ready' ? state.facts.externalUserId : null;
}
