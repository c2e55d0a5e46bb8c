/**
 * The entries of the customer in the ticket of an event. They outlive the view while a session is renewed, so that nothing has to
 * be entered twice. Another customer, another event, or leaving the event starts again.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Pick } from '../route.ts';
import { session } from '../session.ts';
import { createDeal, type Deal } from './deal.ts';

interface Draft {
  readonly eventId: string;
  readonly externalUserId: string | null;
  /** In dollars, as typed. */
  readonly stake: Signal<string>;
  /**
   * The deal of a pick. It belongs to the draft and not to the ticket, because the ticket is drawn again in another place when a
   * phone is turned, and an order that is being placed must not be lost from view. The deal of an earlier pick ends.
   */
  dealOf(pick: Pick): Deal;
  /** Ends the deal, and the next one begins with the amount. */
  endDeal(): void;
}

const FIRST_STAKE = '10';

let kept: Draft | null = null;

/** Prepares the ticket of an event that is shown next, with a stake in dollars. */
export function startDraft(eventId: string, stake: string): Draft {
  kept = { eventId, externalUserId: customer(), stake: signal(stake), ...oneDeal() };
  return kept;
}

export function useDraft(eventId: string): Draft {
  const draft = useMemo(
    () =>
      kept !== null && kept.eventId === eventId && kept.externalUserId === customer()
        ? kept
        : startDraft(eventId, FIRST_STAKE),
    [eventId],
  );
  useEffect(
    () => () => {
      draft.endDeal();
      // Without a session the view is gone for a moment only.
      if (customer() !== null) {
        kept = null;
      }
    },
    [eventId],
  );
  return draft;
}

function oneDeal(): Omit<Draft, 'eventId' | 'externalUserId' | 'stake'> {
  let current: { readonly of: string; readonly deal: Deal } | null = null;
  const endDeal = () => {
    current?.deal.end();
    current = null;
  };
  return {
    dealOf: ({ contractId, side }) => {
      const of = `${contractId} ${side}`;
      if (current?.of !== of) {
        endDeal();
        current = { of, deal: createDeal() };
      }
      return current.deal;
    },
    endDeal,
  };
}

function customer(): string | null {
  const state = session.peek();
  return state.status === 'ready' ? state.facts.externalUserId : null;
}
