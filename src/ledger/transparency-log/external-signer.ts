/**
 * Signs by a program of the service operator, such as one that asks a hardware module. It reads the bytes to sign on its standard
 * input and prints the Ed25519 signature in base64. A program that fails or takes too long signs nothing: the last checkpoint stays.
 */
import { spawn } from 'node:child_process';

const DEADLINE_MS = 5_000;
const SIGNATURE_BYTES = 64;
/** Kept of what the program prints: a signature, or the beginning of what went wrong. */
const MOST_CHARACTERS = 1_000;

export class SignerFailed extends Error {
  override name = 'SignerFailed';
}

/**
 * @param program path of an executable file; it gets no arguments
 * @returns the signature, not verified yet
 * @throws SignerFailed if the program cannot be started, ends with another code than 0, prints no signature, or is not done in time
 */
export function signWithProgram(program: string, text: Buffer, deadlineMs = DEADLINE_MS): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new SignerFailed(`INLAY_LOG_SIGNER ${program}: ${reason}`));
    const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'pipe'] });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (part: string) => {
        printed[stream] = (printed[stream] + part).slice(0, MOST_CHARACTERS);
      });
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`no signature within ${deadlineMs / 1000} s`);
    }, deadlineMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      fail(error.message);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const signature = Buffer.from(printed.stdout.trim(), 'base64');
      if (code !== 0) {
        fail(`ended with ${code ?? signal}${printed.stderr === '' ? '' : `: ${printed.stderr.trim()}`}`);
      } else if (signature.length !== SIGNATURE_BYTES) {
        fail('printed no Ed25519 signature in base64');
      } else {
        resolve(signature);
      }
    });
    // a program that does not read its input has ended, and is reported by its code
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}
