/** How the emulated exchange refuses a request. */
import type { Answer } from '../http.ts';

export function refused(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } };
}

export function notFound(message: string): Answer {
  return refused(404, 'not_found', message);
}

/** A parameter or a body that the exchange does not take. */
export function invalid(message: string): Answer {
  return refused(400, 'invalid_parameters', message);
}
