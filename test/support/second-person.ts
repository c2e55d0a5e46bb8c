/**
 * Two people, where one user runs all tests: this process is on the staff, and a request is made to come from a user of the system
 * who is somebody else. Two real users are in operators/staff.test.ts, which needs root.
 */
import { loginUser, systemUser } from '../../src/cli/operator-command.ts';
import type { Sql } from '../../src/db/client.ts';
import { type Actor, addStaff, userOf } from '../../src/operators/approvals.ts';
import { withoutTriggers } from './without-triggers.ts';

const me = (): Actor => ({ name: 'me', systemUser: systemUser(), loginUser: loginUser() });

/** @returns the user that approves when this process does */
export async function joinStaff(sql: Sql): Promise<string> {
  const user = userOf(me());
  await addStaff(sql, 'the one who runs the tests', user, me());
  return user;
}

export function askedByAnother(ownerUrl: string, approvalId: string): Promise<void> {
  return withoutTriggers(
    ownerUrl,
    `update approvals set requested_user = 'somebody-else' where approval_id = '${approvalId}'`,
  );
}
