import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyring, type Keyring, mintToken, readToken } from '../../src/embed/sessions.ts';

function keyring(current: string, previous: string[] = []): Keyring {
  const opened = createKeyring({ current, previous });
  if (opened === null) {
    throw new Error('no keyring');
  }
  return opened;
}

describe('embed token', () => {
  const keys = keyring('first secret of the deployment');

  // contract 30.5
  test('has four dotted parts and leads to the hash of its secret', () => {
    const { token, secretHash } = mintToken(keys);
    const [version, keyId, secret, mac, ...rest] = token.split('.');
    expect(version).toBe('ies1');
    expect(keyId).toMatch(/^[0-9a-f]{12}$/);
    expect(mac).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(rest).toEqual([]);
    expect(secretHash).toEqual(createHash('sha256').update(String(secret)).digest());
    expect(readToken(keys, token)).toEqual(secretHash);
  });

  // contract 30.5
  test('every single-bit change is refused', () => {
    const { token } = mintToken(keys);
    const bytes = Buffer.from(token, 'latin1');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readToken(keys, changed.toString('latin1')), `bit ${bit}`).toBeNull();
    }
  });

  test('every other character in every place is refused, also where base64 would decode the same', () => {
    const { token } = mintToken(keys);
    for (let index = 0; index < token.length; index += 1) {
      for (const letter of 'AQgwz09_-.=') {
        if (token[index] === letter) {
          continue;
        }
        expect(readToken(keys, token.slice(0, index) + letter + token.slice(index + 1))).toBeNull();
      }
    }
  });

  test('truncated, extended, empty and enormous texts are refused', () => {
    const { token } = mintToken(keys);
    const texts = [
      '',
      'ies1',
      token.slice(0, -1),
      `${token}A`,
      `${token}.`,
      `${token}.x`,
      ` ${token}`,
      '.'.repeat(150),
    ];
    for (const text of [...texts, 'ies1...', 'é'.repeat(100), 'A'.repeat(1_000_000)]) {
      expect(readToken(keys, text)).toBeNull();
    }
  });

  test('a token survives a rotation while the older secret is kept, and no longer', () => {
    const { token, secretHash } = mintToken(keys);
    const rotated = keyring('second secret of the deployment', ['first secret of the deployment']);
    expect(readToken(rotated, token)).toEqual(secretHash);
    expect(mintToken(rotated).token.split('.')[1]).not.toBe(token.split('.')[1]);
    expect(readToken(keyring('second secret of the deployment'), token)).toBeNull();
    expect(readToken(keys, mintToken(rotated).token)).toBeNull();
  });

  test('no secret, no keyring', () => {
    expect(createKeyring({ current: '', previous: ['older'] })).toBeNull();
  });
});
