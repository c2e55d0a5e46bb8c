/** The user of the system that runs this process, and the one who logged in, where the system knows that. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** Linux shows it for processes that no login started. */
const NO_LOGIN = 4_294_967_295;

/** A user id without a name, as in many containers, is not an error. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.geteuid?.() ?? 'unknown'}`;
  }
}

/** Set at the login and kept by `sudo` and `su`. Null on systems other than Linux, and where no login started this process. */
export function loginUser(): string | null {
  let uid: number;
  try {
    uid = Number(readFileSync('/proc/self/loginuid', 'utf8'));
  } catch {
    return null;
  }
  if (!Number.isInteger(uid) || uid === NO_LOGIN) {
    return null;
  }
  return uid === process.geteuid?.() ? systemUser() : (nameOf(uid) ?? `uid ${uid}`);
}

function nameOf(uid: number): string | undefined {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  return users.map((line) => line.split(':')).find(([, , id]) => id === String(uid))?.[0];
}
