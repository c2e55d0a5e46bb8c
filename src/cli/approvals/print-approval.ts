/** An approval as commands show it. */
import type { Approval } from '../../operators/approvals.ts';

export type ShownApproval = Omit<Approval, 'requestedAt' | 'expiresAt' | 'decidedAt'> & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
};

export function renderApproval({ requestedAt, expiresAt, decidedAt, ...approval }: Approval): ShownApproval {
  return {
    ...approval,
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}
