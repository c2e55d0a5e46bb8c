/** Who the staff of the service are: which users of the system are one person. Only these approve. Owns `staff`. */
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';

/** Who runs a command. */
export interface Actor {
  /** As typed with `--as`, or the system's user. */
  readonly name: string;
  readonly systemUser: string;
  /** Who logged in, which `sudo` and `su` do not change; null where the system does not know it. */
  readonly loginUser: string | null;
}

export interface StaffUser {
  readonly name: string;
  readonly systemUser: string;
  readonly addedBy: string;
  readonly addedAt: Date;
}

/** The user by whom an approval goes. */
export const userOf = ({ loginUser, systemUser }: Actor): string => loginUser ?? systemUser;

/**
 * Adds a user of the system to a person, or a person. Repeating it changes nothing.
 * @throws invalid_request if the user is another person already
 */
export async function addStaff(sql: Sql, name: string, systemUser: string, actor: Actor): Promise<StaffUser> {
  await sql`
    insert into staff (os_user, name, added_by) values (${systemUser}, ${name}, ${actor.name}) on conflict do nothing`;
  const added = (await listStaff(sql)).find((known) => known.systemUser === systemUser);
  if (added?.name !== name) {
    throw refuse('invalid_request', `The system's user ${systemUser} is ${added?.name}; remove that name first.`);
  }
  return added;
}

/** By name, and by user. */
export async function listStaff(sql: Sql): Promise<StaffUser[]> {
  return sql<StaffUser[]>`
    select name, os_user as "systemUser", added_by as "addedBy", added_at as "addedAt" from staff order by name, os_user`;
}

/** @returns the users of the system that the person had; none if nobody has that name. */
export async function removeStaff(sql: Sql, name: string): Promise<string[]> {
  const removed = await sql<{ systemUser: string }[]>`
    delete from staff where name = ${name} returning os_user as "systemUser"`;
  return removed.map(({ systemUser }) => systemUser).sort();
}
