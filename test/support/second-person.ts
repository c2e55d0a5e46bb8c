/** A request of another person, where all commands of a test have one login. Real logins are in operators/people.test.ts. */
import { withoutTriggers } from './without-triggers.ts';

export function askedByAnother(ownerUrl: string, approvalId: string): Promise<void> {
  return withoutTriggers(
    ownerUrl,
    `update approvals set requested_by = 'somebody_else' where approval_id = '${approvalId}'`,
  );
}
