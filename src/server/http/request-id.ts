/** Ids of requests: a random prefix for the process and a counter, for `x-request-id` and the log. */
import { randomBytes } from 'node:crypto';

export function newRequestIds(): () => string {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `req_${process}${count.toString(36).padStart(6, '0')}`;
  };
}
